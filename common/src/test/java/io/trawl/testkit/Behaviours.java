package io.trawl.testkit;

import io.trawl.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** Correct and broken behaviours for a {@link FakeHost}. */
public final class Behaviours {
    private static final String HTML = "text/html; charset=utf-8";

    private Behaviours() {}

    /** 200 with HTML in UTF-8. */
    public static Behaviour page(String html) {
        return bytes(HTML, html.getBytes(StandardCharsets.UTF_8));
    }

    /** 200 with HTML in UTF-8 and more headers. */
    public static Behaviour page(String html, Map<String, String> headers) {
        return answer(200, withType(HTML, headers), html.getBytes(StandardCharsets.UTF_8));
    }

    /** HTML with a strong entity tag; 304 to a request that names it. */
    public static Behaviour tagged(String html) {
        String tag = "\"" + Integer.toHexString(html.hashCode()) + "\"";
        Behaviour whole = page(html, Map.of("ETag", tag));
        Behaviour unchanged = answer(304, Map.of("ETag", tag), new byte[0]);
        return exchange -> (tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match")) ? unchanged : whole)
                .answer(exchange);
    }

    /** 200 with a body of any type. */
    public static Behaviour bytes(String contentType, byte[] body) {
        return answer(200, Map.of("Content-Type", contentType), body);
    }

    /** 200 with HTML whose header names one charset and whose bytes are in another. */
    public static Behaviour wrongCharset(String html, String claimed, Charset real) {
        return bytes("text/html; charset=" + claimed, html.getBytes(real));
    }

    /** A redirect; the location is sent unchanged. */
    public static Behaviour redirect(int status, String location) {
        return answer(status, Map.of("Location", location), new byte[0]);
    }

    /** 404 with a page. */
    public static Behaviour notFound() {
        return status(404);
    }

    /** 500 with a page. */
    public static Behaviour serverError() {
        return status(500);
    }

    /** Any status, with a page. */
    public static Behaviour status(int status) {
        return answer(status, Map.of("Content-Type", HTML),
                ("<title>" + status + "</title>").getBytes(StandardCharsets.UTF_8));
    }

    /** 429 with Retry-After for the first requests, then as given. */
    public static Behaviour tooManyRequests(int times, Duration retryAfter, Behaviour then) {
        return atFirst(times, answer(429, Map.of("Retry-After", Long.toString(retryAfter.toSeconds())), new byte[0]),
                then);
    }

    /** Answers the first requests in one way and all others in another. */
    public static Behaviour atFirst(int times, Behaviour first, Behaviour then) {
        AtomicInteger left = new AtomicInteger(times);
        return exchange -> (left.getAndDecrement() > 0 ? first : then).answer(exchange);
    }

    /** Answers when the latch opens; until then it sends nothing. */
    public static Behaviour slow(CountDownLatch opens, Behaviour then) {
        return exchange -> {
            opens.await();
            then.answer(exchange);
        };
    }

    /** HTML that is sent byte by byte, with a real pause before each. */
    public static Behaviour drip(String html, Duration pause) {
        return exchange -> {
            byte[] body = html.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", HTML);
            exchange.sendResponseHeaders(200, body.length);
            for (byte octet : body) {
                Time.system().pause(pause);
                exchange.getResponseBody().write(octet);
                exchange.getResponseBody().flush();
            }
        };
    }

    /** HTML that never ends, in chunks, as fast as it is read. */
    public static Behaviour endless() {
        return exchange -> {
            exchange.getResponseHeaders().set("Content-Type", HTML);
            exchange.sendResponseHeaders(200, 0);
            byte[] chunk = "<p>and so on</p>\n".repeat(500).getBytes(StandardCharsets.UTF_8);
            while (!Thread.currentThread().isInterrupted()) {
                exchange.getResponseBody().write(chunk);
            }
        };
    }

    /** HTML, compressed, regardless of the request's {@code Accept-Encoding}. */
    public static Behaviour gzip(String html) {
        return answer(200, Map.of("Content-Type", HTML, "Content-Encoding", "gzip"),
                compressed(html.getBytes(StandardCharsets.UTF_8)));
    }

    /** This number of zero bytes, compressed to about a thousandth. */
    public static Behaviour gzipBomb(int inflated) {
        return answer(200, Map.of("Content-Type", HTML, "Content-Encoding", "gzip"), compressed(new byte[inflated]));
    }

    /** Compressed HTML whose second half is missing; the declared length is that of the sent bytes. */
    public static Behaviour brokenGzip(String html) {
        byte[] whole = compressed(html.getBytes(StandardCharsets.UTF_8));
        return answer(200, Map.of("Content-Type", HTML, "Content-Encoding", "gzip"),
                Arrays.copyOf(whole, whole.length / 2));
    }

    /** Closes the connection without a response. */
    public static Behaviour hangsUp() {
        return exchange -> exchange.close();
    }

    /** Closes the connection in the middle of the declared body. */
    public static Behaviour cutShort(String html) {
        return exchange -> {
            byte[] body = html.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", HTML);
            exchange.sendResponseHeaders(200, body.length + 1000L);
            exchange.getResponseBody().write(body);
            exchange.getResponseBody().flush();
        };
    }

    /** Any status, headers and body. */
    public static Behaviour answer(int status, Map<String, String> headers, byte[] body) {
        return exchange -> {
            headers.forEach(exchange.getResponseHeaders()::set);
            boolean none = body.length == 0 || exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(status, none ? -1 : body.length);
            if (!none) {
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(body);
                }
            }
        };
    }

    private static Map<String, String> withType(String type, Map<String, String> headers) {
        Map<String, String> all = new HashMap<>(headers);
        all.putIfAbsent("Content-Type", type);
        return all;
    }

    private static byte[] compressed(byte[] body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
