package io.trawl.charset;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A charset of {@link ByteSequences}. Thread-safe; its tables are read on first use. */
final class SequenceCharset extends Charset {
    private final Supplier<ByteSequences> source;
    private volatile @Nullable ByteSequences sequences;

    /** @param name of the standard */
    SequenceCharset(String name, Supplier<ByteSequences> source) {
        super(name, new String[0]);
        this.source = source;
    }

    private ByteSequences sequences() {
        ByteSequences known = sequences;
        if (known == null) {
            known = source.get();
            sequences = known;
        }
        return known;
    }

    @Override
    public boolean contains(Charset other) {
        return other.name().equals("US-ASCII") || other.equals(this);
    }

    @Override
    public CharsetDecoder newDecoder() {
        return new Decoder(this, sequences());
    }

    @Override
    public CharsetEncoder newEncoder() {
        return new Encoder(this, sequences());
    }

    private static final class Decoder extends CharsetDecoder {
        private final ByteSequences sequences;

        Decoder(Charset charset, ByteSequences sequences) {
            super(charset, 0.6f, 1f);
            this.sequences = sequences;
        }

        @Override
        protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
            while (in.hasRemaining()) {
                if (!out.hasRemaining()) {
                    return CoderResult.OVERFLOW;
                }
                byte first = in.get(in.position());
                if (first >= 0) {
                    out.put((char) first);
                    in.position(in.position() + 1);
                    continue;
                }
                long read = sequences.read(in, in.position());
                int length = (int) (read >> Integer.SIZE);
                int codePoint = (int) read;
                if (read == ByteSequences.MORE) {
                    return CoderResult.UNDERFLOW;
                }
                if (codePoint < 0) {
                    return CoderResult.malformedForLength(length);
                }
                if (!put(codePoint, out)) {
                    return CoderResult.OVERFLOW;
                }
                in.position(in.position() + length);
            }
            return CoderResult.UNDERFLOW;
        }

        private static boolean put(int codePoint, CharBuffer out) {
            if (Character.isBmpCodePoint(codePoint)) {
                out.put((char) codePoint);
                return true;
            }
            if (out.remaining() < 2) {
                return false;
            }
            out.put(codePoint >= ByteSequences.PAIRS
                    ? EastAsian.PAIRS[codePoint - ByteSequences.PAIRS]
                    : Character.toString(codePoint));
            return true;
        }
    }

    private static final class Encoder extends CharsetEncoder {
        private final ByteSequences sequences;

        Encoder(Charset charset, ByteSequences sequences) {
            super(charset, 2f, 4f);
            this.sequences = sequences;
        }

        @Override
        protected CoderResult encodeLoop(CharBuffer in, ByteBuffer out) {
            while (in.hasRemaining()) {
                char first = in.get(in.position());
                boolean pair = Character.isHighSurrogate(first);
                if (pair && in.remaining() < 2) {
                    return CoderResult.UNDERFLOW;
                }
                int codePoint = pair ? Character.codePointAt(in, 0) : first;
                int length = Character.charCount(codePoint);
                if (length == 1 && Character.isSurrogate(first)) {
                    return CoderResult.malformedForLength(1);
                }
                long bytes = codePoint < 0x80 ? codePoint : sequences.write(codePoint);
                if (bytes < 0) {
                    return CoderResult.unmappableForLength(length);
                }
                int size = bytes > 0xFFFFFF ? 4 : bytes > 0xFF ? 2 : 1;
                if (out.remaining() < size) {
                    return CoderResult.OVERFLOW;
                }
                for (int shift = 8 * (size - 1); shift >= 0; shift -= 8) {
                    out.put((byte) (bytes >> shift));
                }
                in.position(in.position() + length);
            }
            return CoderResult.UNDERFLOW;
        }
    }
}
