package io.trawl.pipeline.sink;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that is being written, under its unfinished name. Not thread-safe. */
final class OpenFile {
    private static final int BUFFER = 16 * 1024;
    private final Path unfinished;
    private final Path finished;
    private final FileChannel channel;
    private final OutputStream out;
    private long bytes;

    OpenFile(Path unfinished, Path finished, Disk disk) throws IOException {
        this.unfinished = unfinished;
        this.finished = finished;
        this.channel = disk.create(unfinished);
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

    /** Everything written is on the disk afterwards, and the file is closed. */
    void sync() throws IOException {
        out.flush();
        channel.force(true);
        channel.close();
    }

    /** Closes the file without writing what is still in memory. */
    void abandon() throws IOException {
        channel.close();
    }

    void delete() throws IOException {
        abandon();
        Files.deleteIfExists(unfinished);
    }
}
