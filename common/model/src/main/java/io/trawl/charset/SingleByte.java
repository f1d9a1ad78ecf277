package io.trawl.charset;

import io.trawl.charset.EncodingIndex.Pointers;
import java.nio.ByteBuffer;

/** An encoding of one byte for each character. Thread-safe. */
final class SingleByte implements ByteSequences {
    private final EncodingIndex index;
    private final Pointers pointers;

    SingleByte(EncodingIndex index) {
        this.index = index;
        this.pointers = index.pointers(_ -> true);
    }

    @Override
    public long read(ByteBuffer in, int i) {
        int codePoint = index.codePoint((in.get(i) & 0xFF) - 0x80);
        return codePoint == 0 ? ByteSequences.malformed(1) : ByteSequences.sequence(1, codePoint);
    }

    @Override
    public long write(int codePoint) {
        int pointer = pointers.of(codePoint);
        return pointer < 0 ? -1 : pointer + 0x80;
    }
}
