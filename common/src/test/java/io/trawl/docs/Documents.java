package io.trawl.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.Repository;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

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

    /**
     * Checks the end of a document, which is generated from a source file; with {@code -Ddocs.write=true} writes it
     * instead.
     */
    static void endsWithGenerated(String path, String source, String generated) throws IOException {
        Path document = ROOT.resolve(path);
        String begin = "<!-- The rest of this file is generated from " + source + ", see CONTRIBUTING.md. -->\n";
        String present = Files.readString(document);
        assertThat(present).containsOnlyOnce(begin);
        String wanted = present.substring(0, present.indexOf(begin)) + begin + generated;

        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(document, wanted);
        } else {
            assertThat(present).as("run this test with -Ddocs.write=true to write %s", document).isEqualTo(wanted);
        }
    }

    /** The files with a suffix, except hidden files and build folders: other modules build there meanwhile. */
    private static List<Path> files(String suffix) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                boolean skipped = !folder.equals(ROOT) && (name.equals("target") || name.startsWith("."));
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile() && file.toString().matches(".*\\.(?:" + suffix + ")")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found.stream().sorted().toList();
    }
}
