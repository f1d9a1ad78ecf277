package io.trawl.analyzer.extract;

/**
 * The memory that is reserved for the document of a page. Few pages need more than is usual, and to reserve it for all
 * would leave room for one at a time.
 */
public enum DocumentMemory {
    /**
     * Enough for a document that takes {@link #usual} bytes. A parser that needs more throws
     * {@link NotEnoughException}.
     */
    USUAL,
    /** Enough for a document of the largest number of nodes. */
    MOST;

    /** An element that jsoup makes without any input, with its share of its parent's list, in bytes; measured. */
    private static final int LARGEST_NODE = 160;
    /** Smaller than any node or attribute of jsoup, in bytes. */
    static final int SMALLEST_NODE = 8;
    /** What parsing real pages allocates for each character, several times over; measured. */
    private static final int BYTES_PER_CHARACTER = 32;

    /**
     * The bytes that parsing a usual page allocates at most, garbage included.
     *
     * @param characters of the page
     * @param mostNodes the largest number of elements, attributes and tags
     */
    public static long usual(long characters, int mostNodes) {
        return Math.min((long) mostNodes * SMALLEST_NODE + characters * BYTES_PER_CHARACTER, most(mostNodes));
    }

    /** The bytes that a document with so many elements, attributes and tags takes at most. */
    public static long most(int nodes) {
        return (long) nodes * LARGEST_NODE;
    }

    /** The number of nodes for which these bytes are enough. */
    public static long nodes(long bytes) {
        return bytes / LARGEST_NODE;
    }

    /** The document of a page needs {@link #MOST}: the page is to be parsed again when that is reserved. */
    public static final class NotEnoughException extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** Has no stack trace: it is thrown for pages that anybody may write. */
        public NotEnoughException() {
            super(null, null, false, false);
        }
    }
}
