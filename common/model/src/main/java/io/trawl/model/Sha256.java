package io.trawl.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 (FIPS 180-4), which every Java platform has. Texts are digested in UTF-8. Stateless. */
public final class Sha256 {
    private Sha256() {}

    /** The digest, 32 bytes. */
    public static byte[] of(byte[] bytes) {
        return digest().digest(bytes);
    }

    /** The digest of a text, 32 bytes. */
    public static byte[] of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The digest in 64 hexadecimal digits. */
    public static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(of(bytes));
    }

    /** The digest of a text in 64 hexadecimal digits. */
    public static String hex(String text) {
        return HexFormat.of().formatHex(of(text));
    }

    /** A new digest, for what comes in parts. */
    public static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
