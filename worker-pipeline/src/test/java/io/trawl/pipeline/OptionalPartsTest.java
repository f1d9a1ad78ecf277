package io.trawl.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.Sink;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.spi.FileWriters;
import io.trawl.pipeline.spi.SinkProvider;
import io.trawl.pipeline.spi.SinkProvider.SinkSetup;
import io.trawl.plugin.Plugins;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OptionalPartsTest {
    @Test
    void thePartsOfTrawlAreFoundAsPlugInsAre() throws IOException {
        SinkSetup setup = new SinkSetup(new CrawlVariables(Map.of()), Map.of(), () -> "log", Duration.ofSeconds(1),
                Time.system());
        try (Plugins plugins = Plugins.in(Optional.empty())) {
            List<SinkProvider> providers = plugins.of(SinkProvider.class);
            assertThat(providers.stream().map(provider -> provider.create(setup)).map(Sink::type))
                    .containsExactlyInAnyOrder("postgresql", "opensearch", "s3");
            assertThat(providers.stream().flatMap(provider -> provider.stored(setup).stream())).hasSize(1);
            FileWriters writers = FileWriters.among(plugins);
            assertThat(writers.ofArchives().open("part.warc.gz").index()).isEmpty();
            FileFormat rows = FileFormat
                    .of(SinkDefinition.files("parquet", Optional.empty(), Optional.empty(), List.of("id")), List.of());
            writers.ofRows().open(rows, OutputStream.nullOutputStream()).close();
        }
    }

    @Test
    void withoutThePartThatWritesAFormatItsFilesFailAndSayWhy() {
        assertThatThrownBy(FileWriters.NONE::ofRows).isInstanceOf(IOException.class).hasMessageContaining("rows");
        assertThatThrownBy(FileWriters.NONE::ofArchives).isInstanceOf(IOException.class)
                .hasMessageContaining("archives");
    }
}
