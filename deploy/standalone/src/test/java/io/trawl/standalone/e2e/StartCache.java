package io.trawl.standalone.e2e;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import io.trawl.testkit.ContainerEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The cache of classes (JEP 514) of the jar with all modules, which tests start a hundred times: one is made for each build, as the launcher does. */
final class StartCache {
    private static final Path JAR = Processes.jar("deploy/standalone");
    private static final List<String> OPTIONS = made();

    private StartCache() {}

    /** The options with which this jar starts faster; none for other jars. */
    static List<String> of(Path jar) {
        return jar.equals(JAR) ? OPTIONS : List.of();
    }

    private static List<String> made() {
        Path cache = JAR.resolveSibling("tests.aot");
        // Several JVMs run tests.
        try (FileChannel file = FileChannel.open(JAR.resolveSibling("tests.aot.lock"), CREATE, WRITE); FileLock _ = file.lock()) {
            if (!Files.exists(cache) || Files.getLastModifiedTime(cache).compareTo(Files.getLastModifiedTime(JAR)) < 0) {
                Files.deleteIfExists(cache);
                List<String> command = new ArrayList<>(Processes.JAVA);
                command.addAll(List.of("-XX:AOTCacheOutput=" + cache, "-jar", JAR.toString(), "warm-up"));
                ContainerEngine.run(command, Map.of(), "").good();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:aot*=off", "-Xlog:cds=off");
    }
}
