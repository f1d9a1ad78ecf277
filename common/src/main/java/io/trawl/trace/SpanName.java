package io.trawl.trace;

/** The steps of a trace. */
public enum SpanName {
    /** A seed, a link or a redirect becomes a request: until that is committed. */
    ADMISSION,
    /** A request is fetched, or answered without: from when its turn began to its answer. */
    DOWNLOAD,
    /** A response is read: until what follows from it is committed. */
    ANALYSIS,
    /** An item is processed and written: until its file is finished. */
    STORING;

    /** As it stands in spans. */
    String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
