package io.trawl.downloader.fetch;

import io.trawl.downloader.fetch.coding.ContentDecoder;
import java.util.Arrays;
import java.util.List;

/** Encoded bodies: whatever is inflated has at most the limit, and what cannot be is broken. */
public final class EncodingFuzz {
    private static final int LIMIT = 10_000;
    private static final List<String> CODINGS = List.of("gzip", "deflate", "br", "zstd", "gzip, br",
            "deflate, gzip, zstd");

    private EncodingFuzz() {}

    /** Called by the fuzzer; the first byte chooses the coding. */
    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length == 0) {
            return;
        }
        String coding = CODINGS.get(Math.floorMod(input[0], CODINGS.size()));
        byte[] body = Arrays.copyOfRange(input, 1, input.length);
        try {
            if (ContentDecoder.inflate(coding, body, input[0] < 0, LIMIT).body().length() > LIMIT) {
                throw new AssertionError("more than the limit");
            }
        } catch (ContentDecoder.BrokenCodingException e) {
            // as promised
        }
    }
}
