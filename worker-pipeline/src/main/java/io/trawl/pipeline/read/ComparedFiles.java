package io.trawl.pipeline.read;

import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.pipeline.format.FileFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The finished files of a run in which its items are looked up to compare it with another one: those of one sink.
 *
 * @param ending of their names
 */
public record ComparedFiles(String ending) {
    private static final String CHANGE = "change";
    private static final Set<String> NEEDED = Set.of("key", "url", "status");

    /** Takes the lines of a file. */
    @FunctionalInterface
    public interface LineListener {
        /** Takes one: a JSON object. */
        void take(byte[] line) throws IOException;
    }

    /** The same of a crawl; if that is refreshed, the files must have the field that says that a page is gone. */
    public static Optional<ComparedFiles> of(CrawlDefinition definition) {
        List<SinkDefinition> telling = definition.sinks().stream().filter(
                sink -> definition.refresh().isEmpty() || sink.fields().isEmpty() || sink.fields().contains(CHANGE))
                .toList();
        return telling.isEmpty() && !definition.sinks().isEmpty() ? Optional.empty() : of(telling);
    }

    /**
     * Those of sinks: of the first sink of items whose files can be read and say enough, plain JSON lines before
     * others. Empty if there is none: then its runs are not compared.
     */
    public static Optional<ComparedFiles> of(List<SinkDefinition> sinks) {
        if (sinks.isEmpty()) {
            return Optional.of(new ComparedFiles(FileFormat.DEFAULT.ending()));
        }
        List<String> endings = sinks.stream().filter(ComparedFiles::enough)
                .map(sink -> FileFormat.of(sink, List.of()).ending()).filter(FileItems::readable).toList();
        return endings.stream().filter(SinkDefinition.JSON_LINES::equals).findFirst()
                .or(() -> endings.stream().findFirst()).map(ComparedFiles::new);
    }

    private static boolean enough(SinkDefinition sink) {
        List<String> fields = sink.fields();
        return sink.isFiles() && !sink.isArchive() && !sink.ofChunks()
                && (sink.types().isEmpty() || sink.types().contains(SinkDefinition.ERROR)) && (fields.isEmpty()
                        || fields.containsAll(NEEDED) && (fields.contains("text") || fields.contains("sha256")));
    }

    /** The files in a folder of a run, sorted by name. */
    public List<Path> list(Path folder) throws IOException {
        Pattern name = Pattern.compile("(lost-)?part-[0-9]+-[0-9]+(-[0-9]+)?\\." + Pattern.quote(ending));
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> name.matcher(file.getFileName().toString()).matches()).sorted().toList();
        }
    }

    /** Reads a file once, from its beginning to its end. */
    public static void read(Path file, LineListener lines) throws IOException {
        try (FileItems items = FileItems.of(file.getFileName().toString(), Files.newInputStream(file))) {
            for (Optional<byte[]> line = items.next(); line.isPresent(); line = items.next()) {
                lines.take(line.get());
            }
        }
    }
}
