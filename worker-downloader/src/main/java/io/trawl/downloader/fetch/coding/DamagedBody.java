package io.trawl.downloader.fetch.coding;

import io.trawl.model.Outcome.Damage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * What is left of a coded body that is damaged, as browsers show it: all that was decoded, if the deflate stream ended
 * or had a whole block before the damage. What has less is no page. Decodes layer by layer, so it costs more than
 * {@link ContentDecoder}, which is the way of all other bodies.
 *
 * <p>
 * The decoders of br and zstd do not tell their blocks: what they give out counts.
 */
record DamagedBody(byte[] bytes, Damage damage) {
    private static final int CHUNK = 16 * 1024;
    private static final int GZIP_HEAD = 10;
    private static final int CHECKSUM_AND_LENGTH = 8;
    private static final int RESERVED = 0xe0;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;
    private static final int HEAD_CHECKSUM = 2;
    private static final int DICTIONARY = 0x20;

    /** A layer; empty damage: there is none. */
    private record Layer(byte[] bytes, Optional<Damage> damage) {}

    /**
     * The rest of a body.
     *
     * @param codings in the order in which they were applied
     * @param limit the largest result of each layer, in bytes
     * @return empty if too little of it can be decoded
     */
    static Optional<DamagedBody> of(List<String> codings, byte[] raw, int limit) {
        byte[] bytes = raw;
        Optional<Damage> damage = Optional.empty();
        for (String coding : codings.reversed()) {
            Optional<Layer> decoded = switch (coding) {
                case "gzip" -> gzip(bytes, limit);
                case "deflate" -> deflate(bytes, limit);
                default -> stream(coding, bytes, limit);
            };
            if (decoded.isEmpty()) {
                return Optional.empty();
            }
            bytes = decoded.get().bytes;
            damage = Stream.of(damage, decoded.get().damage).flatMap(Optional::stream).max(Comparator.naturalOrder());
        }
        return Optional.of(new DamagedBody(bytes, damage.orElse(Damage.CODING)));
    }

    private static Optional<Layer> gzip(byte[] in, int limit) {
        Stretch stretch = new Stretch(limit);
        try {
            int at = 0;
            int empty = 0;
            for (int begin = deflated(in, 0); begin >= 0
                    && empty <= ContentDecoder.EMPTY_MEMBERS; begin = deflated(in, at)) {
                int before = stretch.out.size();
                CRC32 checksum = new CRC32();
                if (!stretch.inflate(in, begin, checksum)) {
                    return stretch.layer(Damage.CODING, at > 0);
                }
                at = stretch.end;
                int length = stretch.out.size() - before;
                if (in.length - at < CHECKSUM_AND_LENGTH || little(in, at) != (int) checksum.getValue()
                        || little(in, at + 4) != length) {
                    boolean last = deflated(in, at + CHECKSUM_AND_LENGTH) < 0;
                    return stretch.layer(last ? Damage.CHECKSUM : Damage.CODING, true);
                }
                at += CHECKSUM_AND_LENGTH;
                empty = length == 0 ? empty + 1 : 0;
            }
            return at == 0 || empty > ContentDecoder.EMPTY_MEMBERS
                    ? Optional.empty()
                    : Optional.of(new Layer(stretch.out.toByteArray(), Optional.empty()));
        } finally {
            stretch.inflater.end();
        }
    }

    private static int little(byte[] in, int at) {
        return ByteBuffer.wrap(in, at, 4).order(ByteOrder.LITTLE_ENDIAN).getInt();
    }

    /** Where the deflate stream of the member begins that begins here (RFC 1952 section 2.3); negative if none does. */
    private static int deflated(byte[] in, int at) {
        if (in.length - at < GZIP_HEAD || in[at] != 0x1f || (in[at + 1] & 0xff) != 0x8b || in[at + 2] != 8
                || (in[at + 3] & RESERVED) != 0) {
            return -1;
        }
        int flags = in[at + 3];
        int next = at + GZIP_HEAD;
        if ((flags & EXTRA) != 0) {
            next = next + 2 > in.length ? in.length : next + 2 + (in[next] & 0xff | (in[next + 1] & 0xff) << 8);
        }
        for (int texts = Integer.bitCount(flags & (NAME | COMMENT)); texts > 0; texts--) {
            while (next < in.length && in[next] != 0) {
                next++;
            }
            next++;
        }
        next += (flags & HEAD_CHECKSUM) == 0 ? 0 : 2;
        return next < in.length ? next : -1;
    }

    private static Optional<Layer> deflate(byte[] in, int limit) {
        boolean wrapped = ContentDecoder.wrapped(in);
        if (wrapped && (in[1] & DICTIONARY) != 0) {
            return Optional.empty();
        }
        Stretch stretch = new Stretch(limit);
        try {
            Checksum checksum = new Adler32();
            if (!stretch.inflate(in, wrapped ? 2 : 0, checksum)) {
                return stretch.layer(Damage.CODING, false);
            }
            boolean right = !wrapped || in.length - stretch.end >= 4
                    && ByteBuffer.wrap(in, stretch.end, 4).getInt() == (int) checksum.getValue();
            return right
                    ? Optional.of(new Layer(stretch.out.toByteArray(), Optional.empty()))
                    : stretch.layer(Damage.CHECKSUM, true);
        } finally {
            stretch.inflater.end();
        }
    }

    private static Optional<Layer> stream(String coding, byte[] in, int limit) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Optional<Damage> damage = Optional.empty();
        try (InputStream decoder = ContentDecoder.decoder(coding, new ByteArrayInputStream(in))) {
            byte[] chunk = new byte[1024];
            for (int n = decoder.read(chunk); n >= 0 && out.size() < limit; n = decoder.read(chunk)) {
                out.write(chunk, 0, Math.min(n, limit - out.size()));
            }
        } catch (IOException | RuntimeException e) {
            damage = Optional.of(Damage.CODING);
        }
        return damage.isPresent() && out.size() == 0
                ? Optional.empty()
                : Optional.of(new Layer(out.toByteArray(), damage));
    }

    /** The deflate streams of one layer, one behind the other. */
    private static final class Stretch {
        private final Inflater inflater = new Inflater(true);
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();
        private final byte[] chunk = new byte[CHUNK];
        private final int limit;
        private boolean block;
        private int end;

        Stretch(int limit) {
            this.limit = limit;
        }

        /** @return whether the stream ended; then {@code end} is behind it */
        boolean inflate(byte[] in, int begin, Checksum checksum) {
            inflater.reset();
            inflater.setInput(in, begin, in.length - begin);
            boolean sound = true;
            while (sound && !inflater.finished() && !inflater.needsInput() && !inflater.needsDictionary()
                    && out.size() < limit) {
                long before = inflater.getBytesWritten();
                try {
                    inflater.inflate(chunk);
                } catch (DataFormatException e) {
                    sound = false;
                }
                int n = (int) Math.min(inflater.getBytesWritten() - before, limit - out.size());
                checksum.update(chunk, 0, n);
                out.write(chunk, 0, n);
            }
            end = begin + (int) inflater.getBytesRead();
            block = block || inflater.finished() || new DeflateBlock(Arrays.copyOfRange(in, begin, end)).isWhole();
            return inflater.finished();
        }

        Optional<Layer> layer(Damage damage, boolean something) {
            return something || block
                    ? Optional.of(new Layer(out.toByteArray(), Optional.of(damage)))
                    : Optional.empty();
        }
    }
}
