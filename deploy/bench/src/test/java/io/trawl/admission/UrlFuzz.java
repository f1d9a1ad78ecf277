package io.trawl.admission;

import io.trawl.admission.Normalized.NormalUrl;
import java.nio.charset.StandardCharsets;

/**
 * URLs as strangers write them: the normal form of a normal form is the same, and a reference never leaves http and
 * https.
 */
public final class UrlFuzz {
    private static final String BASE = "http://example.org/a/b?c#d";

    private UrlFuzz() {}

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        check(UrlNormalizer.normalize(text));
        check(UrlNormalizer.resolve(BASE, text));
        int half = text.length() / 2;
        check(UrlNormalizer.resolve(text.substring(0, half), text.substring(half)));
    }

    private static void check(Normalized normalized) {
        if (normalized instanceof NormalUrl url) {
            String text = url.text();
            if (!text.startsWith("http://") && !text.startsWith("https://")) {
                throw new AssertionError("accepted: " + text);
            }
            if (!(UrlNormalizer.normalize(text) instanceof NormalUrl again) || !again.text().equals(text)) {
                throw new AssertionError("the normal form of " + text + " is " + UrlNormalizer.normalize(text));
            }
            HostKeyFactory.of(text);
        }
    }
}
