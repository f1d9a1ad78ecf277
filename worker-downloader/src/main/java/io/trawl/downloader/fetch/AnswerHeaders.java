package io.trawl.downloader.fetch;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;

/** Response headers as a map. */
final class AnswerHeaders {
    private AnswerHeaders() {}

    /**
     * Names in lower case, repeated values joined by {@code ", "}; of {@code Location}, which is no list, the first. Bytes above 0x7f, which HTTP
     * does not explain, are UTF-8 if they can be.
     *
     * @throws Causes.TooLarge if they are longer than {@value AnswerConsumer#HEADERS} characters together
     */
    static Map<String, String> of(HttpResponse response) throws Causes.TooLarge {
        Map<String, String> headers = new HashMap<>();
        long size = 0;
        for (Iterator<Header> i = response.headerIterator(); i.hasNext();) {
            Header header = i.next();
            String name = header.getName().toLowerCase(Locale.ROOT);
            String value = header.getValue() == null ? "" : text(header.getValue());
            size += name.length() + value.length() + 4L;
            if (size > AnswerConsumer.HEADERS) {
                throw new Causes.TooLarge(
                        "the headers of the answer are longer than " + AnswerConsumer.HEADERS + " characters together");
            }
            headers.merge(name, value, (a, b) -> name.equals("location") ? a : a + ", " + b);
        }
        return headers;
    }

    private static String text(String value) {
        if (value.chars().allMatch(c -> c < 0x80) || value.chars().anyMatch(c -> c > 0xff)) {
            return value;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1)))
                    .toString();
        } catch (CharacterCodingException e) {
            return value;
        }
    }
}
