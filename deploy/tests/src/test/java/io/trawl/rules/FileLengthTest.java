package io.trawl.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A file of the main code fits into the head of its reader. */
class FileLengthTest {
    private static final int MOST_LINES = 300;
    private static final Path MAIN = Path.of("src", "main", "java");
    /** Longer ones: one that has become shorter leaves the list, and none joins it. */
    private static final Set<String> LONGER = new TreeSet<>(
            Set.of("ControlRecord.java", "CrawlDefinition.java", "FileSink.java", "Frontier.java", "HostQueue.java",
                    "ResponseBatchHandler.java", "Settings.java", "TransactionalWriter.java"));

    @Test
    void noFileOfMainIsLongerThan300LinesButTheListedOnes() throws IOException {
        assertThat(longer()).containsExactlyElementsOf(LONGER);
    }

    private static Set<String> longer() throws IOException {
        try (Stream<Path> files = Files.walk(Repository.ROOT)) {
            return files.filter(FileLengthTest::ofMain).filter(file -> lines(file) > MOST_LINES)
                    .map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static boolean ofMain(Path file) {
        String path = Repository.ROOT.relativize(file).toString();
        return path.endsWith(".java") && path.contains(MAIN.toString()) && !path.contains("target");
    }

    private static long lines(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
