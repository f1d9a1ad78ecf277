package io.trawl.docs;

import io.trawl.testkit.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The text files of this checkout. */
final class Documents {
    static final Path ROOT = Repository.ROOT;

    private Documents() {}

    /** All Markdown files, sorted. */
    static List<Path> markdown() throws IOException {
        return files("md");
    }

    /** Documents, sources, scripts and configuration, sorted. */
    static List<Path> texts() throws IOException {
        return files("md|java|py|sh|ya?ml|xml|lua|js|css|html|properties");
    }

    /** The files with a suffix, except hidden files and build folders. */
    private static List<Path> files(String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(Files::isRegularFile).filter(file -> ROOT.relativize(file).toString()
                    .matches("(?!.*(?:^|/)(?:target|\\.[^/]+)/).*\\.(?:" + suffix + ")")).sorted().toList();
        }
    }
}
