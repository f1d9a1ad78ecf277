package io.trawl.pipeline.read;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * The complete lines of a file, in either direction. What is written after it was opened is not seen. Keeps one block
 * in memory. Not thread-safe.
 */
final class LineFile implements AutoCloseable {
    private static final int BLOCK = 64 << 10;
    private final FileChannel channel;
    private final long end;
    private final byte[] block = new byte[BLOCK];
    private long blockStart = -1;
    private int blockLength;

    /**
     * A line.
     *
     * @param start where it begins
     * @param end where the next one begins
     * @param bytes without the line feed
     */
    record Line(long start, long end, byte[] bytes) {}

    LineFile(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            end = lineStart(channel.size());
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The end of the last complete line. */
    long end() {
        return end;
    }

    /** The last line that ends at this position or before it. */
    Optional<Line> before(long position) throws IOException {
        long to = lineStart(Math.min(position, end));
        return to == 0 ? Optional.empty() : Optional.of(line(lineStart(to - 1), to));
    }

    /** The first line that begins at this position or after it. */
    Optional<Line> from(long position) throws IOException {
        long from = position > 0 && position < end && at(position - 1) != '\n' ? lineEnd(position) : position;
        return from >= end ? Optional.empty() : Optional.of(line(from, lineEnd(from)));
    }

    private Line line(long start, long next) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(next - start - 1));
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, start + bytes.position()) < 0) {
                throw new EOFException("the file has become shorter");
            }
        }
        return new Line(start, next, bytes.array());
    }

    /**
     * The beginning of the line that contains the byte before this position; the position itself if a line feed is
     * there.
     */
    private long lineStart(long position) throws IOException {
        long p = position;
        while (p > 0 && at(p - 1) != '\n') {
            p--;
        }
        return p;
    }

    /** The end of the line that contains this position, behind its line feed. */
    private long lineEnd(long position) throws IOException {
        long p = position;
        while (at(p) != '\n') {
            p++;
        }
        return p + 1;
    }

    private byte at(long position) throws IOException {
        long start = position - position % BLOCK;
        if (start != blockStart || position - start >= blockLength) {
            load(start);
        }
        if (position - start >= blockLength) {
            throw new EOFException("the file has become shorter");
        }
        return block[(int) (position - start)];
    }

    private void load(long start) throws IOException {
        ByteBuffer into = ByteBuffer.wrap(block);
        while (into.hasRemaining() && channel.read(into, start + into.position()) >= 0) {
            // Until the block is full, or the file has ended.
        }
        blockStart = start;
        blockLength = into.position();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
