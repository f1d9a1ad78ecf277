package io.trawl.standalone.e2e;

import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Analyzer;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.module.StageState.Phase;
import io.trawl.pipeline.Pipeline;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LocalWorkers;
import io.trawl.worker.Worker;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** One of each module in this JVM, on the shared servers. */
class OneJvmIT extends CrawlContract {
    @Override
    RunningFleet start(Path folder) throws InterruptedException {
        return new Fleet(folder.resolve("pages"));
    }

    static final class Fleet implements RunningFleet {
        private final Path out;
        private final KafkaFixture fixture;
        private final LocalWorkers workers = new LocalWorkers();
        private final Worker coordinator;
        private final CoordinatorClient client;

        Fleet(Path out) throws InterruptedException {
            this(out, Map.of());
        }

        Fleet(Path out, Map<String, String> more) throws InterruptedException {
            this(out, new KafkaFixture(settings(out, more)));
        }

        /** In a namespace that may have been used before. */
        Fleet(Path out, KafkaFixture fixture) throws InterruptedException {
            this.out = out;
            this.fixture = fixture;
            coordinator = workers.start(fixture, Coordinator.factory());
            workers.start(fixture, Pipeline.factory());
            workers.start(fixture, Analyzer.factory());
            workers.start(fixture, Downloader.factory());
            await().until(() -> coordinator.stage().state() == Phase.LEADING);
            client = new CoordinatorClient(URI.create("http://" + coordinator.mid().address()));
        }

        /** Those of all fleets of the tests, and more. */
        static Map<String, String> settings(Path out, Map<String, String> more) {
            Map<String, String> settings = new HashMap<>(
                    Map.of("trawl.out", out.toString(), "trawl.allow-network", "127.0.0.0/8", "trawl.grace", "5s", "trawl.lease",
                            "3s", "trawl.downloader.back-off", "50ms"));
            settings.putAll(more);
            return settings;
        }

        Worker coordinator() {
            return coordinator;
        }

        @Override
        public CoordinatorClient client() {
            return client;
        }

        @Override
        public KafkaFixture fixture() {
            return fixture;
        }

        @Override
        public Path out() {
            return out;
        }

        @Override
        public void close() {
            client.close();
            workers.close();
        }
    }
}
