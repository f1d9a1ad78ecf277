package io.trawl.ledger;

import io.trawl.model.Sha256;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;

/**
 * The ids and keys of items: functions of run or crawl, request, parser and place, never of an offset or the time, so
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
     * What tells the items of a page apart: 20 hexadecimal digits of the SHA-256 of parser and place.
     *
     * @param place the ordinal, or what the rule of the item knows it by
     */
    public static String part(String parser, String place) {
        return digits(parser + "\n" + place, KEY_DIGITS - PAGE_DIGITS);
    }

    /** The part of a key that tells the items of a page apart. */
    public static String partOf(String key) {
        return key.substring(PAGE_DIGITS);
    }

    /**
     * 32 hexadecimal digits of the SHA-256 of run, identity of the request, and part: the same whenever and wherever
     * the page is analysed.
     */
    public static String of(CrawlRun run, String identity, String part) {
        return digits(run + "\n" + identity + "\n" + part, DIGITS);
    }

    /** That of the only item that a parser makes of a page. */
    public static String of(CrawlRun run, String identity, String parser, int ordinal) {
        return of(run, identity, part(parser, Integer.toString(ordinal)));
    }

    /**
     * 40 hexadecimal digits: {@value #PAGE_DIGITS} of the SHA-256 of crawl and identity of the request, then the part.
     */
    public static String key(CrawlId crawl, String identity, String part) {
        return digits(crawl + "\n" + identity, PAGE_DIGITS) + part;
    }

    /** That of the page's own item, which its error has, too. */
    public static String key(CrawlId crawl, String identity) {
        return key(crawl, identity, part(PAGE, "0"));
    }

    private static String digits(String of, int digits) {
        return Sha256.hex(of).substring(0, digits);
    }
}
