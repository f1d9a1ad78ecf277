package io.trawl.pipeline.changes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Sorts lines by their characters in bounded memory: an external merge sort (Knuth, The Art of Computer Programming 3,
 * 5.4) over segments of one temporary file, which has no name on Unix while it is open and is deleted when this is
 * closed. Not thread-safe.
 */
public final class LineSorter implements AutoCloseable {
    /** About what a string in a list takes besides its characters, in bytes. */
    private static final int OVERHEAD = 64;
    private static final int SMALLEST_BUFFER = 4 * 1024;
    private static final int LARGEST_BUFFER = 64 * 1024;
    private final FileChannel file;
    private final int memory;
    private final List<Segment> segments = new ArrayList<>();
    private List<String> lines = new ArrayList<>();
    private long held;
    private long end;

    /** Where sorted lines are in the file. */
    private record Segment(long from, long to) {}

    /** Lines, one after the other. */
    @FunctionalInterface
    public interface SortedLines {
        /** The next one; empty at the end. */
        Optional<String> next() throws IOException;
    }

    /**
     * @param temporary does not exist yet
     * @param memory that it may use, in bytes: more if that is less than 4 KiB for each time that it was filled
     */
    public LineSorter(Path temporary, int memory) throws IOException {
        this.file = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
                StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        this.memory = memory;
    }

    /** Adds a line, without its line feed. */
    public void add(String line) throws IOException {
        lines.add(line);
        held += line.length() + OVERHEAD;
        if (held > memory) {
            spill();
        }
    }

    private void spill() throws IOException {
        lines.sort(Comparator.naturalOrder());
        long from = end;
        ByteBuffer buffer = ByteBuffer.allocate(LARGEST_BUFFER);
        for (String line : lines) {
            byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
            if (buffer.remaining() < bytes.length) {
                write(buffer.flip());
                buffer.clear();
            }
            if (bytes.length > buffer.capacity()) {
                write(ByteBuffer.wrap(bytes));
            } else {
                buffer.put(bytes);
            }
        }
        write(buffer.flip());
        segments.add(new Segment(from, end));
        lines = new ArrayList<>();
        held = 0;
    }

    private void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            end += file.write(bytes, end);
        }
    }

    /** All lines in their order, each once. May be called again, and is valid until a line is added. */
    public SortedLines sorted() throws IOException {
        if (!lines.isEmpty()) {
            spill();
        }
        int buffer = Math.clamp(memory / Math.max(1, segments.size()), SMALLEST_BUFFER, LARGEST_BUFFER);
        PriorityQueue<Head> heads = new PriorityQueue<>();
        for (Segment segment : segments) {
            new Head(new BufferedReader(new InputStreamReader(new SegmentStream(segment), StandardCharsets.UTF_8),
                    buffer)).advanced().ifPresent(heads::add);
        }
        return new Merge(heads)::next;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** The next line of a segment. */
    private static final class Head implements Comparable<Head> {
        private final BufferedReader rest;
        private String line = "";

        Head(BufferedReader rest) {
            this.rest = rest;
        }

        /** This with the next line; empty at the end. */
        Optional<Head> advanced() throws IOException {
            String next = rest.readLine();
            line = next == null ? "" : next;
            return next == null ? Optional.empty() : Optional.of(this);
        }

        @Override
        public int compareTo(Head other) {
            return line.compareTo(other.line);
        }
    }

    /** All segments as one. */
    private static final class Merge {
        private final PriorityQueue<Head> heads;
        private Optional<String> last = Optional.empty();

        Merge(PriorityQueue<Head> heads) {
            this.heads = heads;
        }

        Optional<String> next() throws IOException {
            for (Head head = heads.poll(); head != null; head = heads.poll()) {
                String line = head.line;
                head.advanced().ifPresent(heads::add);
                if (!last.filter(line::equals).isPresent()) {
                    last = Optional.of(line);
                    return last;
                }
            }
            return Optional.empty();
        }
    }

    /** The bytes of a segment; it has no position in common with others. */
    private final class SegmentStream extends InputStream {
        private final long to;
        private long at;

        SegmentStream(Segment segment) {
            this.at = segment.from();
            this.to = segment.to();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int most = (int) Math.min(length, to - at);
            int read = most <= 0 ? -1 : file.read(ByteBuffer.wrap(into, offset, most), at);
            at += Math.max(0, read);
            return read;
        }
    }
}
