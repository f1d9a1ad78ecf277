package io.trawl.analyzer.parse;

import io.trawl.analyzer.charset.DecodedText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Charsets: any bytes under any Content-Type are a text. */
public final class CharsetFuzz {
    private CharsetFuzz() {}

    /** Called by the fuzzer; the first line is the Content-Type. */
    public static void fuzzerTestOneInput(byte[] input) {
        int line = 0;
        while (line < input.length && input[line] != '\n') {
            line++;
        }
        String type = new String(input, 0, line, StandardCharsets.UTF_8);
        byte[] body = Arrays.copyOfRange(input, Math.min(line + 1, input.length), input.length);
        if (DecodedText.of(body, type).text().length() > body.length) {
            throw new AssertionError("more characters than bytes");
        }
    }
}
