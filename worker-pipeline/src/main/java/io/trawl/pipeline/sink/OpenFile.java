package io.trawl.pipeline.sink;

import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file open for writing under its unfinished name. Not thread-safe. */
final class OpenFile {
    private static final int BUFFER = 16 * 1024;
    private final Path unfinished;
    private final Path finished;
    private final FileChannel channel;
    private final OutputStream out;
    private long bytes;

    OpenFile(Path unfinished, Path finished, FileOpener fileOpener) throws IOException {
        this.unfinished = unfinished;
        this.finished = finished;
        this.channel = fileOpener.create(unfinished);
        this.out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
    }

    Path unfinished() {
        return unfinished;
    }

    Path finished() {
        return finished;
    }

    long bytes() {
        return bytes;
    }

    void write(byte[] line) throws IOException {
        out.write(line);
        bytes += line.length;
    }

    /** Passes all lines on to the file system, where readers see them. */
    void flush() throws IOException {
        out.flush();
    }

    /** Forces all data to disk and closes the file. */
    void sync() throws IOException {
        out.flush();
        channel.force(true);
        channel.close();
    }

    /** Closes the file without flushing its buffer. */
    void abandon() throws IOException {
        channel.close();
    }

    void delete() throws IOException {
        abandon();
        Files.deleteIfExists(unfinished);
    }
}
