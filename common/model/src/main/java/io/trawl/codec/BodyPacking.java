package io.trawl.codec;

import io.trawl.model.Body;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Pattern;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;

/**
 * Large bodies as values of records: blocks of LZ4, with the length of the body in a header. Kafka compresses its
 * batches in the same way, but then the broker, to check a batch, and the consumer decompress every record of it, each
 * into memory of its own; a block is decompressed once, where the page is parsed. Small bodies are left to Kafka, which
 * finds what they have in common. Thread-safe.
 */
public final class BodyPacking {
    /** The header of a record whose value is packed: the length of the body in decimal digits. */
    public static final String HEADER = "packed";
    /** What Kafka's compression looks back at. */
    private static final int LEAST = 64 << 10;
    private static final int LARGEST_KEPT = 1 << 20;
    /** No byte of a block stands for more (LZ4 block format: a length of 255 in each further byte). */
    private static final long LARGEST_RATIO = 255;
    /** The largest limit of bodies that can be set. */
    private static final long LARGEST = 512 << 20;
    private static final Pattern LENGTH = Pattern.compile("[1-9][0-9]{0,9}");
    private final LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
    private final Queue<byte[]> buffers = new ConcurrentLinkedQueue<>();

    /** The same body; packed, unless it is small, or does not become smaller by an eighth. */
    public Body pack(Body body) {
        if (body.length() < LEAST || body.isPacked()) {
            return body;
        }
        byte[] bytes = body.bytes();
        int most = compressor.maxCompressedLength(bytes.length);
        byte[] kept = buffers.poll();
        byte[] buffer = kept == null || kept.length < most ? new byte[most] : kept;
        int length = compressor.compress(bytes, 0, bytes.length, buffer, 0, most);
        byte[] block = Arrays.copyOf(buffer, length);
        if (buffer.length <= LARGEST_KEPT) {
            buffers.add(buffer);
        }
        return length > bytes.length - bytes.length / 8 ? body : Body.packed(block, bytes.length, BodyPacking::unpack);
    }

    /** The value of {@link #HEADER} for a body of so many bytes. */
    public static byte[] header(int length) {
        return Integer.toString(length).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The body of a record. A packed one is decompressed at each call of {@link Body#bytes()}, which throws
     * {@link MalformedRecordException} if the value is no such block.
     *
     * @param header the value of {@link #HEADER}, if the record has it
     * @throws MalformedRecordException if the header is not the length of a body
     */
    public static Body body(byte @Nullable [] value, Optional<byte[]> header) {
        if (value == null) {
            return Body.EMPTY;
        }
        if (header.isEmpty()) {
            return new Body(value);
        }
        int length = length(new String(header.get(), StandardCharsets.ISO_8859_1), value.length);
        return Body.packed(value, length, BodyPacking::unpack);
    }

    private static int length(String header, int packed) {
        long length = LENGTH.matcher(header).matches() ? Long.parseLong(header) : 0;
        long most = Math.min(packed * LARGEST_RATIO, LARGEST);
        if (length < 1 || length > most) {
            throw new MalformedRecordException(
                    HEADER + ": '" + header + "' is not valid: the length of the body, here at most " + most);
        }
        return (int) length;
    }

    private static byte[] unpack(byte[] value, int length) {
        byte[] body = new byte[length];
        int written;
        try {
            written = LZ4Factory.fastestInstance().safeDecompressor().decompress(value, 0, value.length, body, 0);
        } catch (LZ4Exception e) {
            throw new MalformedRecordException("the value is not a block of LZ4");
        }
        if (written != length) {
            throw new MalformedRecordException(HEADER + ": '" + length + "' is not valid: the body has " + written);
        }
        return body;
    }
}
