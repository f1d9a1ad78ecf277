package io.trawl.bench.fuzz;

import io.trawl.testkit.Repository;
import io.trawl.admission.UrlFuzz;
import io.trawl.analyzer.extract.HtmlFuzz;
import io.trawl.analyzer.parse.CharsetFuzz;
import io.trawl.codec.RecordsFuzz;
import io.trawl.coordinator.api.SeedsFuzz;
import io.trawl.downloader.fetch.EncodingFuzz;
import io.trawl.downloader.robots.RobotsFuzz;
import java.nio.file.Path;
import java.util.Locale;

/** Everything that reads what strangers wrote. */
enum FuzzTarget {
    URL(UrlFuzz.class, UrlFuzz::fuzzerTestOneInput), ROBOTS(RobotsFuzz.class, RobotsFuzz::fuzzerTestOneInput), SEEDS(
            SeedsFuzz.class,
            SeedsFuzz::fuzzerTestOneInput), RECORDS(RecordsFuzz.class, RecordsFuzz::fuzzerTestOneInput), ENCODING(
                    EncodingFuzz.class, EncodingFuzz::fuzzerTestOneInput), CHARSET(CharsetFuzz.class,
                            CharsetFuzz::fuzzerTestOneInput), HTML(HtmlFuzz.class, HtmlFuzz::fuzzerTestOneInput);

    private final Class<?> type;
    private final Input call;

    interface Input {
        void read(byte[] bytes) throws Exception;
    }

    FuzzTarget(Class<?> type, Input call) {
        this.type = type;
        this.call = call;
    }

    String className() {
        return type.getName();
    }

    /** Reads one input in this process. */
    void read(byte[] input) throws Exception {
        call.read(input);
    }

    /** The inputs that are kept. */
    Path kept() {
        return Repository.file("deploy/bench/src/test/resources/fuzz").resolve(name().toLowerCase(Locale.ROOT));
    }
}
