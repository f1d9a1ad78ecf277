package io.trawl.downloader.fetch.http;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.budget.ReceiveBudget;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;

/** The headers of an answer as a map. */
final class AnswerHeaders {
    private AnswerHeaders() {}

    /**
     * Names in lower case, repeated values as {@link FetchResult#joined} joins them. Bytes above 0x7f, which HTTP does
     * not define, are read as UTF-8 if possible.
     *
     * @throws ReceiveBudget.TooLarge if they are longer than {@value ResponseConsumer#HEADERS} characters together
     */
    static Map<String, String> of(HttpResponse response) throws ReceiveBudget.TooLarge {
        Map<String, String> headers = new HashMap<>();
        long size = 0;
        for (Iterator<Header> i = response.headerIterator(); i.hasNext();) {
            Header header = i.next();
            String name = header.getName().toLowerCase(Locale.ROOT);
            String value = header.getValue() == null ? "" : text(name, header.getValue());
            size += name.length() + value.length() + 4L;
            if (size > ResponseConsumer.HEADERS) {
                throw new ReceiveBudget.TooLarge("the headers of the answer are longer than " + ResponseConsumer.HEADERS
                        + " characters together");
            }
            headers.merge(name, value, (a, b) -> FetchResult.joined(name, a, b));
        }
        return headers;
    }

    private static String text(String name, String value) {
        if (value.chars().allMatch(c -> c < 0x80) || value.chars().anyMatch(c -> c > 0xff)) {
            return value;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1))).toString();
        } catch (CharacterCodingException e) {
            return name.equals("location") ? encoded(value) : value;
        }
    }

    /** With the bytes of a URL in another charset, which its server expects again. */
    private static String encoded(String value) {
        StringBuilder out = new StringBuilder();
        HexFormat hex = HexFormat.of().withUpperCase();
        value.chars().forEach(c -> out.append(c < 0x80 ? Character.toString(c) : "%" + hex.toHexDigits((byte) c)));
        return out.toString();
    }
}
