package io.trawl.analyzer.charset;

import io.trawl.charset.WebCharset;
import java.nio.charset.Charset;
import java.util.Optional;
import org.mozilla.universalchardet.Constants;
import org.mozilla.universalchardet.UniversalDetector;

/** The charset of a body that is not UTF-8 and declares nothing true. */
final class CharsetGuess {
    private static final int DETECTED_PREFIX = 1 << 16;
    private static final int BEFORE = 64;
    /** Fewer bytes beyond ASCII occur in a page of any Western language. */
    private static final int FEW = 6;

    private CharsetGuess() {}

    /**
     * By the frequencies of its characters (Mozilla's universal detector, linear, over a prefix that begins at the
     * first byte that is not ASCII); windows-1252 if a few such bytes say too little.
     */
    static Charset of(byte[] body) {
        int start = 0;
        while (start < body.length && body[start] >= 0) {
            start++;
        }
        int from = Math.max(0, start - BEFORE);
        int length = Math.min(body.length - from, DETECTED_PREFIX);
        int foreign = 0;
        for (int i = start; i < from + length; i++) {
            foreign += body[i] < 0 ? 1 : 0;
        }
        if (foreign < FEW) {
            return WebCharset.WINDOWS_1252;
        }
        UniversalDetector detector = new UniversalDetector();
        detector.handleData(body, from, length);
        detector.dataEnd();
        // Lower-case letters are the same bytes in both, and no site uses the one of the old Mac.
        return Optional.ofNullable(detector.getDetectedCharset())
                .map(name -> name.equals(Constants.CHARSET_MACCYRILLIC) ? Constants.CHARSET_WINDOWS_1251 : name)
                .flatMap(WebCharset::forLabel).orElse(WebCharset.WINDOWS_1252);
    }
}
