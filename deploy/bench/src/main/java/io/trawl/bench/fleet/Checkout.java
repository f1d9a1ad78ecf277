package io.trawl.bench.fleet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /**
     * The runnable jar of a module, for example of {@code worker-downloader}.
     *
     * @throws IllegalStateException if the jar does not exist
     */
    public static Path jar(String module) {
        Path target = root().resolve(module).resolve("target");
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(f -> f.getFileName().toString().matches("trawl-[a-z]+-[0-9].*(?<!-tests)\\.jar")).findFirst()
                    .orElseThrow(() -> new IllegalStateException("no jar in " + target + ": run mvn package first"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
