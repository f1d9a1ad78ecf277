package io.trawl.ledger;

import io.trawl.model.CrawlRun;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The ids of items: functions of run, request, parser and ordinal, never of an offset or the time, so that storing an item twice can be recognised. */
public final class ItemId {
    /** The parser name for items of pages, which merge the fields of all parsers. */
    public static final String PAGE = "page";
    /** The parser name for the final error of a URL. */
    public static final String ERROR = "error";
    /** Before the name of a type, in the place of the parser, for items of rules. No parser has a name with a blank. */
    public static final String TYPE = "type ";

    private ItemId() {}

    /**
     * 32 hexadecimal digits of the SHA-256 of run, identity of the request, parser and ordinal: the same whenever and wherever the page is
     * analysed.
     */
    public static String of(CrawlRun run, String identity, String parser, int ordinal) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest
                    .digest((run + "\n" + identity + "\n" + parser + "\n" + ordinal).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
