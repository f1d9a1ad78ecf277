package io.trawl.pipeline;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SinkContractTest {
    @TempDir
    Path folder;

    /** A store that can only append. */
    private static class Appending implements Sink {
        final List<String> ids;
        final Map<String, Long> last;

        Appending(List<String> ids, Map<String, Long> last) {
            this.ids = ids;
            this.last = last;
        }

        @Override
        public String type() {
            return "test.appending";
        }

        /** What a sink knows a position by. */
        String key(SinkBatch batch) {
            return batch.crawl() + batch.partition();
        }

        @Override
        public void store(SinkBatch batch) {
            for (SinkBatch.PlacedItem item : batch.items()) {
                if (item.position() > last.getOrDefault(key(batch), -1L)) {
                    ids.add(item.item().id());
                    last.put(key(batch), item.position());
                }
            }
        }
    }

    @Test
    void aSinkThatFindsItemsByTheirIdsKeepsIt() throws Exception {
        SinkContract.check(IdFolder::new, Map.of("folder", folder.toString()), () -> {
            try (Stream<Path> files = Files.list(folder)) {
                return files.map(file -> file.getFileName().toString()).toList();
            }
        });
    }

    @Test
    void aSinkThatKeepsThePositionWithTheItemsKeepsIt() throws Exception {
        List<String> ids = new ArrayList<>();
        Map<String, Long> last = new HashMap<>();
        SinkContract.check(() -> new Appending(ids, last), Map.of(), () -> ids);
    }

    @Test
    void theRuleThatASinkBreaksIsNamed() {
        List<String> ids = new ArrayList<>();
        assertThatThrownBy(() -> SinkContract.check(() -> new Appending(ids, new HashMap<>()), Map.of(), () -> ids))
                .isInstanceOf(AssertionError.class).hasMessage(
                        "nor if another process gives it: missing [], twice or unknown [contract-a-0-1, contract-a-0-2, "
                                + "contract-a-0-3]");
        ids.clear();
        Map<String, Long> last = new HashMap<>();
        assertThatThrownBy(() -> SinkContract.check(() -> new Appending(ids, last) {
            @Override
            String key(SinkBatch batch) {
                return batch.crawl();
            }
        }, Map.of(), () -> ids)).isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("every partition has positions of its own");
    }
}
