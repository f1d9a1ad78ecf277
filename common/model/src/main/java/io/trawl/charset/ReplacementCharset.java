package io.trawl.charset;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;

/**
 * The encoding {@code replacement}: any bytes are one U+FFFD, since what these labels once meant lets pages hide
 * scripts. Thread-safe.
 */
final class ReplacementCharset extends Charset {
    ReplacementCharset() {
        super("replacement", new String[0]);
    }

    @Override
    public boolean contains(Charset other) {
        return other.equals(this);
    }

    @Override
    public boolean canEncode() {
        return false;
    }

    @Override
    public CharsetDecoder newDecoder() {
        return new CharsetDecoder(this, 1f, 1f) {
            private boolean replaced;

            @Override
            protected void implReset() {
                replaced = false;
            }

            @Override
            protected CoderResult decodeLoop(ByteBuffer in, CharBuffer out) {
                if (in.hasRemaining() && !replaced) {
                    if (!out.hasRemaining()) {
                        return CoderResult.OVERFLOW;
                    }
                    out.put('\uFFFD');
                    replaced = true;
                }
                in.position(in.limit());
                return CoderResult.UNDERFLOW;
            }
        };
    }

    @Override
    public CharsetEncoder newEncoder() {
        throw new UnsupportedOperationException("the encoding replacement only reads");
    }
}
