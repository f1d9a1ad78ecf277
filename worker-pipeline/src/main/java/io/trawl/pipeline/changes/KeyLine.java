package io.trawl.pipeline.changes;

import io.trawl.ledger.ItemId;
import java.util.Locale;
import java.util.Optional;

/**
 * What a run has of a key: a line of its file of keys. The order of the lines is that of pages; what became of a page
 * comes before the items that it has.
 *
 * @param key of the item, or of the page
 * @param state what it is
 * @param digest of the content of an item; else {@value #NONE}
 * @param id of the item or error; of a page that redirects, that of the item to which it leads
 * @param told {@value #MOVED} or {@value #TOUCHED} if a visit of the page has said so; else {@value #NONE}
 * @param name what a person knows the item by; else {@value #NONE}
 * @param url of the page
 */
public record KeyLine(String key, KeyState state, String digest, String id, String told, String name, String url) {
    /** That a page has moved permanently. */
    static final String MOVED = "moved";
    /** That only the text of a page has changed, and hardly. */
    static final String TOUCHED = "touched";
    /** In the place of a digest, id or name that there is not. */
    public static final String NONE = "-";
    private static final String SEPARATOR = "\t";
    private static final int PARTS = 8;

    /** What a run has of a key, in the order of lines. */
    public enum KeyState {
        /** An error that is not {@link #GONE}. */
        FAILED,
        /** An error with the status 404 or 410. */
        GONE,
        /** A redirect leads away from the page: to an item, or permanently. */
        MOVED,
        /** An item. */
        STORED;

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The part of the key that all items of a page share. */
    String page() {
        return key.substring(0, ItemId.PAGE_DIGITS);
    }

    /** Whether a page was there, and is not any more, as a run or a visit says. */
    boolean away() {
        return state == KeyState.GONE || told.equals(MOVED);
    }

    /** A digest, id or name; empty if there is none. */
    static Optional<String> present(String part) {
        return Optional.of(part).filter(known -> !known.equals(NONE));
    }

    /** Whether a key has the form of one, so that it can be in a line. */
    public static boolean valid(String key) {
        return key.length() > ItemId.PAGE_DIGITS && key.chars().allMatch(c -> Character.digit(c, 16) >= 0);
    }

    /** Reads what {@link #toString()} wrote. @throws IllegalArgumentException if the text is no line of keys */
    static KeyLine parse(String line) {
        String[] parts = line.split(SEPARATOR, PARTS);
        if (parts.length < PARTS || parts[0].length() != ItemId.PAGE_DIGITS) {
            throw new IllegalArgumentException("no line of keys: " + line);
        }
        return new KeyLine(parts[0] + parts[2], KeyState.valueOf(parts[1].toUpperCase(Locale.ROOT)), parts[3], parts[4],
                parts[5], parts[6], parts[7]);
    }

    @Override
    public String toString() {
        return String.join(SEPARATOR, page(), state.word(), key.substring(ItemId.PAGE_DIGITS), digest, id, told, name,
                url);
    }
}
