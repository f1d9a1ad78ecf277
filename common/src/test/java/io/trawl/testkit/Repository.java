package io.trawl.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The clone whose tests run. The working directory may be the folder of any module: that of the test, or that of the
 * pool of integration tests.
 */
public final class Repository {
    /** The folder with {@code .mvn}, absolute. */
    public static final Path ROOT = root(Path.of("").toAbsolutePath());

    private Repository() {}

    /** A file or folder by its path from the root, absolute. */
    public static Path file(String path) {
        return ROOT.resolve(path);
    }

    private static Path root(@Nullable Path folder) {
        if (folder == null) {
            throw new IllegalStateException("not in a clone of Trawl: " + Path.of("").toAbsolutePath());
        }
        return Files.isDirectory(folder.resolve(".mvn")) ? folder : root(folder.getParent());
    }
}
