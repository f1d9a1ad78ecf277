package io.trawl.pipeline.warc;

import io.trawl.codec.ArchiveFields;
import io.trawl.model.Response.ArchivedExchange;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The head of an answer in a file. Trawl stores a page as it is after decompression, so headers that no longer describe
 * the body get the prefix {@value ArchiveFields#ORIGINAL}, as in the files of other crawlers, and the length is that of
 * the body. 304 has no body, so its length is that which it says.
 */
final class HttpHead {
    private static final String CRLF = "\r\n";
    private static final String LENGTH = "content-length";
    private static final String TRANSFER = "transfer-encoding";
    private static final String CODING = "content-encoding";

    private HttpHead() {}

    /** The bytes up to the empty line. */
    static byte[] of(Response response) {
        String received = response.exchange().map(ArchivedExchange::response).orElseGet(() -> written(response));
        boolean source = response.request().options().source();
        boolean page = response.outcome() instanceof Outcome.Success;
        boolean unchanged = response.outcome() instanceof Outcome.Unchanged;
        Set<String> changed = page
                ? Set.of(LENGTH, TRANSFER, CODING)
                : unchanged ? Set.of(TRANSFER) : Set.of(LENGTH, TRANSFER);
        List<String> lines = received.lines().filter(line -> !line.isEmpty()).toList();
        StringBuilder head = new StringBuilder(lines.getFirst()).append(CRLF);
        lines.stream().skip(1).map(line -> changed.contains(name(line)) ? ArchiveFields.ORIGINAL + line : line)
                .forEach(line -> head.append(line).append(CRLF));
        // A sitemap is stored compressed.
        if (page && source && gzipped(response.body().bytes())) {
            head.append("Content-Encoding: gzip").append(CRLF);
        }
        if (!unchanged) {
            head.append("Content-Length: ").append(response.body().length()).append(CRLF);
        }
        head.append(CRLF);
        return head.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static boolean gzipped(byte[] body) {
        return body.length > 2 && body[0] == 0x1f && (body[1] & 0xff) == 0x8b;
    }

    private static String name(String line) {
        int colon = line.indexOf(':');
        return colon < 0 ? "" : line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
    }

    /** Of an answer whose bytes were not kept. */
    private static String written(Response response) {
        int status = switch (response.outcome()) {
            case Outcome.Success page -> page.status();
            case Outcome.Redirect redirect -> redirect.status();
            case Outcome.HttpError error -> error.status();
            case Outcome.Unchanged _ -> Outcome.Unchanged.STATUS;
            case Outcome.Failure _,Outcome.Refused _,Outcome.Duplicate _ -> 0;
        };
        StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(' ').append(CRLF);
        for (Map.Entry<String, String> header : new TreeMap<>(response.headers()).entrySet()) {
            head.append(header.getKey()).append(": ").append(header.getValue().replaceAll("[\r\n]+", " ")).append(CRLF);
        }
        return head.toString();
    }
}
