package io.trawl.pipeline.read;

import io.trawl.api.ItemKind;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of a run, by partition and first offset. Of one span of offsets the finished file counts, else the
 * unfinished one that was written last: an earlier one is left of a process that died, and its items are written again.
 */
final class RunFiles {
    private static final Pattern NAME = Pattern
            .compile("(part-([0-9]{2,9})-([0-9]{1,20})\\.jsonl)(\\.[0-9a-z-]{1,40}\\.part)?");

    private RunFiles() {}

    /**
     * A file.
     *
     * @param path when the folder was listed
     * @param finished its final path
     */
    record RunFile(Path path, Path finished) {}

    /** The files of one kind, by partition and first offset; empty if the run has none. */
    static Map<Integer, NavigableMap<Long, RunFile>> list(SinkFolder out, CrawlRun run, ItemKind kind)
            throws IOException {
        Map<Integer, NavigableMap<Long, RunFile>> files = new TreeMap<>();
        Path folder = out.of(kind, run);
        try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder, "part-*")) {
            for (Path path : paths) {
                Matcher name = NAME.matcher(path.getFileName().toString());
                if (name.matches()) {
                    files.computeIfAbsent(Integer.valueOf(name.group(2)), _ -> new TreeMap<>()).merge(
                            Long.valueOf(name.group(3)), new RunFile(path, folder.resolve(name.group(1))),
                            RunFiles::better);
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return Map.of();
        } catch (DirectoryIteratorException e) {
            throw new IOException(e.getMessage(), e);
        }
        return files;
    }

    private static RunFile better(RunFile one, RunFile other) {
        if (one.path().equals(one.finished()) || other.path().equals(other.finished())) {
            return one.path().equals(one.finished()) ? one : other;
        }
        return written(one.path()).compareTo(written(other.path())) >= 0 ? one : other;
    }

    private static FileTime written(Path path) {
        try {
            return Files.getLastModifiedTime(path);
        } catch (IOException e) {
            // It got its final name, or was removed.
            return FileTime.fromMillis(0);
        }
    }
}
