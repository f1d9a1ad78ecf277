package io.trawl.standalone.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;

/**
 * The whole contract in the processes of {@link SeparateProcessesIT}; it is the same code that {@link OneJvmIT} runs on
 * every commit.
 */
@Tag("nightly")
class WholeSeparateProcessesIT extends WholeCrawlContract {
    @Override
    RunningFleet start(Path folder) throws IOException {
        return new SeparateProcessesIT.Fleet(folder.resolve("pages"), Files.createDirectories(folder.resolve("logs")));
    }
}
