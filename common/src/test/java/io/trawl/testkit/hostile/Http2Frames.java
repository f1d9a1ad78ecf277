package io.trawl.testkit.hostile;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Frames of HTTP/2 (RFC 9113, section 6), made by hand so that they can break the rules. */
final class Http2Frames {
    private static final int END_HEADERS = 4;

    private Http2Frames() {}

    static byte[] settings() {
        return frame(4, 0, 0, new byte[0]);
    }

    static byte[] settings(int count) {
        ByteBuffer all = ByteBuffer.allocate(6 * count);
        for (int i = 0; i < count; i++) {
            all.putShort((short) 3).putInt(100 + i);
        }
        return frame(4, 0, 0, all.array());
    }

    static byte[] ping() {
        return frame(6, 0, 0, new byte[8]);
    }

    static byte[] windowUpdate(int increment) {
        return frame(8, 0, 0, ByteBuffer.allocate(4).putInt(increment).array());
    }

    static byte[] reset(int stream) {
        return frame(3, 0, stream, ByteBuffer.allocate(4).putInt(2).array());
    }

    static byte[] goAway() {
        return frame(7, 0, 0, ByteBuffer.allocate(8).putInt(0).putInt(11).array());
    }

    /** Headers of a stream: status 200 from the static table, and so many fields from the dynamic one (RFC 7541). */
    static byte[] headers(int stream, boolean complete, int bytes) {
        byte[] block = new byte[1 + bytes];
        block[0] = (byte) 0x88;
        Arrays.fill(block, 1, block.length, (byte) 0x90);
        return frame(1, complete ? END_HEADERS : 0, stream, block);
    }

    static byte[] continuation(int stream, int bytes) {
        byte[] block = new byte[bytes];
        Arrays.fill(block, (byte) 0x90);
        return frame(9, 0, stream, block);
    }

    static byte[] data(int stream, int bytes) {
        return frame(0, 0, stream, new byte[bytes]);
    }

    static byte[] unknown() {
        return frame(0xbe, 0xff, 0, new byte[16_000]);
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length).put((byte) (payload.length >> 16))
                .putShort((short) payload.length).put((byte) type).put((byte) flags).putInt(stream).put(payload)
                .array();
    }
}
