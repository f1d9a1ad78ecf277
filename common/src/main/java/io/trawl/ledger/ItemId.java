package io.trawl.ledger;

import io.trawl.model.Sha256;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;

/**
 * The ids and keys of items: functions of run or crawl, request, parser and ordinal, never of an offset or the time, so
 * that storing an item twice can be recognised, and the same item of two runs.
 */
public final class ItemId {
    /** The parser name for items of pages, which merge the fields of all parsers. */
    public static final String PAGE = "page";
    /** The parser name for the final error of a URL. */
    public static final String ERROR = "error";
    /** Before the name of a type, in the place of the parser, for items of rules. No parser has a name with a blank. */
    public static final String TYPE = "type ";

    /** So many digits of a key are those of its page: they are equal for all items of a page and for its error. */
    public static final int PAGE_DIGITS = 20;
    private static final int DIGITS = 32;
    private static final int KEY_DIGITS = 40;

    private ItemId() {}

    /**
     * 32 hexadecimal digits of the SHA-256 of run, identity of the request, parser and ordinal: the same whenever and
     * wherever the page is analysed.
     */
    public static String of(CrawlRun run, String identity, String parser, int ordinal) {
        return digits(run + "\n" + identity + "\n" + parser + "\n" + ordinal, DIGITS);
    }

    /**
     * 40 hexadecimal digits: {@value #PAGE_DIGITS} of the SHA-256 of crawl and identity of the request, then those of
     * parser and ordinal. An error has the key of the page that it stands for.
     */
    public static String key(CrawlId crawl, String identity, String parser, int ordinal) {
        String part = (parser.equals(ERROR) ? PAGE : parser) + "\n" + ordinal;
        return digits(crawl + "\n" + identity, PAGE_DIGITS) + digits(part, KEY_DIGITS - PAGE_DIGITS);
    }

    private static String digits(String of, int digits) {
        return Sha256.hex(of).substring(0, digits);
    }
}
