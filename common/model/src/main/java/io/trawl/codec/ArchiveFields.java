package io.trawl.codec;

/** The names in WARC files that the archive writes and a replay reads. */
public final class ArchiveFields {
    /** The field of a metadata record with the response as in {@link Codec#describe}, without what may be secret. */
    public static final String DESCRIPTION = "trawl";
    /** The prefix of HTTP headers that do not describe the stored body, as in the files of other crawlers. */
    public static final String ORIGINAL = "X-Crawler-";

    private ArchiveFields() {}
}
