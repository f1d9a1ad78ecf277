package io.trawl.pipeline.spi;

import io.trawl.model.CrawlRun;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.format.FileLine;
import io.trawl.plugin.Plugins;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * What writes files that are no lines of text. The jar of each names its class as that of a plug-in does.
 *
 * @param rows at most one
 * @param archives at most one
 */
public record FileWriters(List<RowFormat> rows, List<ArchiveFormat> archives) {
    /** Lines of text only. */
    public static final FileWriters NONE = new FileWriters(List.of(), List.of());

    /** Those of the class path and of plug-ins. */
    public static FileWriters among(Plugins plugins) {
        return new FileWriters(plugins.of(RowFormat.class), plugins.of(ArchiveFormat.class));
    }

    /** Files of rows with typed columns. */
    public interface RowFormat {
        /** Begins a file. @param out is not closed with it */
        RowFile open(FileFormat format, OutputStream out) throws IOException;

        /** The number of rows of a finished file. */
        long rows(Path file) throws IOException;
    }

    /** A file of rows, whose close writes its end. Not thread-safe. */
    public interface RowFile extends AutoCloseable {
        /** Adds a row. */
        void write(FileLine line) throws IOException;

        @Override
        void close() throws IOException;
    }

    /** Files of the archive of a run. */
    public interface ArchiveFormat {
        /** Begins a file. @param name without folders */
        ArchiveFile open(String name);
    }

    /**
     * The contents of a file of an archive: the bytes are to be written in the order in which they are asked for. Not
     * thread-safe.
     */
    public interface ArchiveFile {
        /** What the file begins with. */
        byte[] header(CrawlRun run, Instant now);

        /** The records of a response. */
        byte[] add(Capture capture);

        /** The lines of its index, sorted. */
        byte[] index();
    }

    /** What writes files of rows. @throws IOException if this process has no such part */
    public RowFormat ofRows() throws IOException {
        return rows.stream().findFirst().orElseThrow(() -> new IOException("no part here writes files of rows"));
    }

    /** What writes archives. @throws IOException if this process has no such part */
    public ArchiveFormat ofArchives() throws IOException {
        return archives.stream().findFirst().orElseThrow(() -> new IOException("no part here writes archives"));
    }
}
