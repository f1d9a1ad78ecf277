package io.trawl.pipeline.sink;

import io.trawl.pipeline.format.FileCompression;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
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
    private final OutputStream out;
    private long bytes;

    OpenFile(Path unfinished, Path finished, FileFormat format, FileOpener fileOpener) throws IOException {
        this.unfinished = unfinished;
        this.finished = finished;
        this.format = format;
        this.channel = fileOpener.create(unfinished);
        this.file = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
        this.out = format.compression().over(new KeptOpen(file));
        write(format.header());
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

    void write(byte[] line) throws IOException {
        out.write(line);
        bytes += line.length;
    }

    /** Passes all lines on to the file system, where readers see them; compressed files have no readers before their end. */
    void flush() throws IOException {
        if (format.compression() == FileCompression.NONE) {
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
        } catch (IOException e) {
            LOG.debug("{} is closed: {}", unfinished, e.getMessage());
        }
    }

    void delete() throws IOException {
        abandon();
        Files.deleteIfExists(unfinished);
    }

    /** The end of the compressed data is not that of the file, which is still to be forced to disk. */
    private static final class KeptOpen extends FilterOutputStream {
        KeptOpen(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
