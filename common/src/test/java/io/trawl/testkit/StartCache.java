package io.trawl.testkit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The cache of classes (JEP 514) of the jar with all modules, which tests start a hundred times: one is made for each
 * build, as the launcher does: if the crawl that trains it fails, so do these tests. A JVM can use it if its class path
 * begins with that jar, and if it has the options of {@link #JAVA}.
 */
public final class StartCache {
    /** A small JVM that starts fast. */
    public static final List<String> JAVA = List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m", "-XX:+ExitOnOutOfMemoryError", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
            // With another value than that of the recording no JVM can use the cache.
            "--enable-native-access=ALL-UNNAMED");

    private StartCache() {}

    /** Whether a file is the jar with all modules. */
    public static boolean serves(Path jar) {
        return jar.getFileName().toString().matches("trawl-standalone-[0-9].*\\.jar")
                && !jar.toString().endsWith("-tests.jar");
    }

    /**
     * The options with which JVMs of this jar start faster, which {@link #serves} accepted. Makes the cache if there is
     * none of this build.
     */
    public static synchronized List<String> options(Path jar) {
        Path cache = jar.resolveSibling("tests.aot");
        // Several JVMs run tests. Threads of one cannot wait for each other by a lock on a file.
        try (FileChannel file = FileChannel.open(jar.resolveSibling("tests.aot.lock"), CREATE, WRITE);
                FileLock _ = file.lock()) {
            Path recorded = jar.resolveSibling("tests.aot.jars");
            String jars = jars(jar);
            if (!Files.exists(cache) || !Files.exists(recorded) || !Files.readString(recorded).equals(jars)) {
                Files.deleteIfExists(cache);
                List<String> command = new ArrayList<>(JAVA);
                command.addAll(List.of("-XX:AOTCacheOutput=" + cache, "-jar", jar.toString(), "warm-up"));
                ContainerEngine.run(command, Map.of(), "").good();
                Files.writeString(recorded, jars);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // On: a JVM that cannot use it ends, and does not start slowly without a word.
        return List.of("-XX:AOTCache=" + cache, "-XX:AOTMode=on", "-Xlog:aot=off", "-Xlog:aot*=off", "-Xlog:cds=off");
    }

    /** What the JVM compares with its recording: the size and the time of each jar, also of those in the manifest. */
    private static String jars(Path jar) throws IOException {
        try (Stream<Path> libraries = Files.list(jar.resolveSibling("lib"))) {
            StringBuilder jars = new StringBuilder();
            for (Path each : Stream.concat(Stream.of(jar), libraries.sorted()).toList()) {
                jars.append(each.getFileName()).append(' ').append(Files.size(each)).append(' ')
                        .append(Files.getLastModifiedTime(each)).append('\n');
            }
            return jars.toString();
        }
    }
}
