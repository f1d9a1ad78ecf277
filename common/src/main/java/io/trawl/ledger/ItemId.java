package io.trawl.ledger;

import io.trawl.model.Sha256;
import io.trawl.model.CrawlRun;

/**
 * The ids of items: functions of run, request, parser and ordinal, never of an offset or the time, so that storing an
 * item twice can be recognised.
 */
public final class ItemId {
    /** The parser name for items of pages, which merge the fields of all parsers. */
    public static final String PAGE = "page";
    /** The parser name for the final error of a URL. */
    public static final String ERROR = "error";
    /** Before the name of a type, in the place of the parser, for items of rules. No parser has a name with a blank. */
    public static final String TYPE = "type ";

    private static final int DIGITS = 32;

    private ItemId() {}

    /**
     * 32 hexadecimal digits of the SHA-256 of run, identity of the request, parser and ordinal: the same whenever and
     * wherever the page is analysed.
     */
    public static String of(CrawlRun run, String identity, String parser, int ordinal) {
        return Sha256.hex(run + "\n" + identity + "\n" + parser + "\n" + ordinal).substring(0, DIGITS);
    }
}
