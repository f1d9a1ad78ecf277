package io.trawl.analyzer.batch;

import io.trawl.codec.Json;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The first fields of the items of a page as digests of four bytes, so that a later visit can name those that differ.
 * If there are as many as may be, a digest of their names follows: more than these may be there. Pure.
 */
final class FieldDigests {
    private static final int MOST = 16;
    private static final int DIGITS = 8;

    private FieldDigests() {}

    /**
     * A field of an item.
     *
     * @param key of the item
     * @param digest of key, name and value
     * @param counts whether it is compared
     */
    record DigestedField(String key, String name, int digest, boolean counts) {
        static DigestedField of(String key, String name, Optional<Object> value, boolean counts) {
            return new DigestedField(key, name, number(List.of(key, name, value)), counts);
        }

        private String shown() {
            return key + " " + name;
        }
    }

    private static int number(Object of) {
        return HexFormat.fromHexDigits(Json.digest(of).substring(0, DIGITS));
    }

    /** As many as may be. */
    static List<DigestedField> first(Stream<DigestedField> fields) {
        return fields.limit(MOST).toList();
    }

    /** What an entry holds, in Base64. */
    static String encoded(List<DigestedField> fields) {
        boolean full = fields.size() == MOST;
        ByteBuffer bytes = ByteBuffer.allocate((fields.size() + (full ? 1 : 0)) * Integer.BYTES);
        fields.forEach(field -> bytes.putInt(field.digest()));
        if (full) {
            bytes.putInt(names(fields));
        }
        return Base64.getEncoder().withoutPadding().encodeToString(bytes.array());
    }

    private static int names(List<DigestedField> fields) {
        return number(fields.stream().map(DigestedField::shown).toList());
    }

    /**
     * The fields that are new or differ from those of an entry. Empty if that cannot be told: the entry has others, and
     * may lack some that there were.
     */
    static Optional<List<DigestedField>> changed(String entry, List<DigestedField> now) {
        IntBuffer known = known(entry);
        if (known.limit() > MOST && (now.size() < MOST || known.get(MOST) != names(now))) {
            return Optional.empty();
        }
        Set<Integer> digests = IntStream.range(0, known.limit()).mapToObj(known::get).collect(Collectors.toSet());
        return Optional.of(now.stream().filter(field -> !digests.contains(field.digest())).toList());
    }

    /** Whether an entry has all fields that there were, and there are as many now. */
    static boolean complete(String entry, List<DigestedField> now) {
        return now.size() < MOST && known(entry).limit() == now.size();
    }

    private static IntBuffer known(String entry) {
        return ByteBuffer.wrap(Base64.getDecoder().decode(entry)).asIntBuffer();
    }
}
