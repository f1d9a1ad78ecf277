package io.trawl.coordinator.summary;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * The sums of all records of the ledger below some offsets, which a coordinator that starts reads in their place.
 *
 * @param number one more than that of the snapshot before
 * @param loss the tag of the last loss in Kafka that its writer knew; empty for none. Those since may have cut off what
 * it has counted
 * @param offsets the first record of each partition that is not counted
 * @param content in pieces that fit into records
 */
record LedgerSnapshot(long number, String loss, Map<Integer, Long> offsets, List<byte[]> content) {
    /** Below the default limit of a broker for a batch. */
    private static final int LARGEST_PIECE = 900_000;

    static LedgerSnapshot of(long number, String loss, Map<Integer, Long> offsets, TallySums sums) {
        Pieces pieces = new Pieces();
        try (DataOutputStream out = new DataOutputStream(pieces)) {
            sums.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new LedgerSnapshot(number, loss, Map.copyOf(offsets), pieces.all());
    }

    /** The sums. */
    TallySums sums() {
        List<InputStream> pieces = content.stream().<InputStream>map(ByteArrayInputStream::new).toList();
        try (DataInputStream in = new DataInputStream(new SequenceInputStream(Collections.enumeration(pieces)))) {
            return TallySums.readFrom(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The size of the content. */
    long bytes() {
        return content.stream().mapToLong(piece -> piece.length).sum();
    }

    /** The CRC-32C of the content (RFC 3720). */
    long checksum() {
        CRC32C sum = new CRC32C();
        content.forEach(sum::update);
        return sum.getValue();
    }

    /** Collects bytes without a copy of what it has. */
    private static final class Pieces extends OutputStream {
        private final List<byte[]> full = new ArrayList<>();
        private byte[] last = new byte[LARGEST_PIECE];
        private int length;

        @Override
        public void write(int value) {
            if (length == last.length) {
                full.add(last);
                last = new byte[LARGEST_PIECE];
                length = 0;
            }
            last[length++] = (byte) value;
        }

        List<byte[]> all() {
            List<byte[]> all = new ArrayList<>(full);
            all.add(Arrays.copyOf(last, length));
            return all;
        }
    }
}
