package io.trawl.bench.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Locates the module jars in the checkout in which this benchmark was built. */
public final class Checkout {
    private Checkout() {}

    /** The root folder of the repository; this code is in {@code deploy/bench/target}. */
    public static Path root() {
        try {
            Path here = Path.of(Checkout.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            return here.resolve("../../../..").normalize();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The script that users start. */
    public static Path launcher() {
        return root().resolve("trawl");
    }

    /** The options of the JVM with which the launcher runs all modules in one JVM. */
    public static List<String> optionsOfOneJvm() {
        try (Stream<String> lines = Files.lines(launcher())) {
            return lines.filter(line -> line.startsWith("together='"))
                    .map(line -> List.of(line.split("'")[1].split(" "))).findFirst()
                    .orElseThrow(() -> new IllegalStateException(launcher() + " has no line together='...'"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The cache of classes that the launcher makes, for class paths that begin with its jar; need not exist. */
    static Path classCache() {
        return root().resolve("deploy/standalone/target/start-" + System.getProperty("java.version") + ".aot");
    }

    /**
     * The runnable jar of a module, for example of {@code worker-downloader}.
     *
     * @throws IllegalStateException if the jar does not exist
     */
    public static Path jar(String module) {
        Path target = root().resolve(module).resolve("target");
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(f -> f.getFileName().toString().matches("trawl-[a-z]+-[0-9].*(?<!-tests)\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no jar in " + target + ": run mvn package first"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
