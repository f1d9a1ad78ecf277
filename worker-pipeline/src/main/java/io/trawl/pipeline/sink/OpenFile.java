package io.trawl.pipeline.sink;

import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.format.FileLine;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import io.trawl.pipeline.spi.FileWriters;
import io.trawl.pipeline.spi.FileWriters.RowFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A file open for writing under its unfinished name; all its lines have one format. Not thread-safe. */
final class OpenFile {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFile.class);
    private static final int BUFFER = 16 * 1024;
    private final Path unfinished;
    private final Path finished;
    private final FileFormat format;
    private final FileChannel channel;
    private final OutputStream file;
    private final LineWriter out;
    private long bytes;

    OpenFile(Path unfinished, Path finished, FileFormat format, FileOpener fileOpener, FileWriters writers)
            throws IOException {
        this.unfinished = unfinished;
        this.finished = finished;
        this.format = format;
        this.channel = fileOpener.create(unfinished);
        this.file = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
        this.out = format.parquet()
                ? new RowWriter(writers.ofRows().open(format, file))
                : new TextWriter(format.compression().over(new KeptOpenStream(file)));
        out.begin(format.header());
        bytes = format.header().length;
    }

    /** Writes lines in the form of the file; its close writes what belongs to the end of the file. */
    private interface LineWriter extends AutoCloseable {
        void write(FileLine line) throws IOException;

        default void begin(byte[] header) throws IOException {}

        default void flush() throws IOException {}

        @Override
        void close() throws IOException;
    }

    /** Lines one after the other. */
    private record TextWriter(OutputStream out) implements LineWriter {
        @Override
        public void begin(byte[] header) throws IOException {
            out.write(header);
        }

        @Override
        public void write(FileLine line) throws IOException {
            out.write(line.bytes());
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    /** Rows of columns. */
    private record RowWriter(RowFile rows) implements LineWriter {
        @Override
        public void write(FileLine line) throws IOException {
            rows.write(line);
        }

        @Override
        public void close() throws IOException {
            rows.close();
        }
    }

    FileFormat format() {
        return format;
    }

    Path unfinished() {
        return unfinished;
    }

    Path finished() {
        return finished;
    }

    /** Its size before compression. */
    long bytes() {
        return bytes;
    }

    void write(FileLine line) throws IOException {
        out.write(line);
        bytes += line.size();
    }

    /**
     * Passes all lines on to the file system, where readers see them; compressed files have no readers before their
     * end.
     */
    void flush() throws IOException {
        if (format.compression() == FileCompression.NONE && !format.parquet()) {
            out.flush();
        }
    }

    /** Forces all data to disk and closes the file. */
    void sync() throws IOException {
        out.close();
        file.flush();
        channel.force(true);
        channel.close();
    }

    /** Closes the file without flushing its buffer. */
    void abandon() throws IOException {
        channel.close();
        try {
            // Frees the memory of the compression.
            out.close();
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} is closed: {}", unfinished, e.getMessage());
        }
    }

    void delete() throws IOException {
        abandon();
        Files.deleteIfExists(unfinished);
    }
}
