package io.trawl.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The ids of items: functions of run, URL, parser and ordinal, never of an offset or the time, so that storing an item twice can be recognised. */
public final class ItemId {
    /** Stands for the parsers of a page, whose fields are merged into one item. */
    public static final String PAGE = "page";
    /** Stands for the final error of a URL. */
    public static final String ERROR = "error";

    private ItemId() {}

    /** 32 hexadecimal digits of the SHA-256 of run, URL, parser and ordinal: the same whenever and by whomever the page is analysed. */
    public static String of(CrawlRun run, String url, String parser, int ordinal) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest.digest((run + "\n" + url + "\n" + parser + "\n" + ordinal).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
