package io.trawl.testkit.web;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * The response of a path.
 *
 * @param bytes the complete response in wire format; shared and never modified
 * @param delay the time before the response is sent
 * @param piece the time between two bytes; zero: all are sent at once
 */
public record WebResponse(byte[] bytes, Duration delay, Duration piece) {
    private static final String UTF_8 = "Content-Type: text/html; charset=utf-8\r\n";
    private static final WebResponse NOT_FOUND = new WebResponse(
            response("404 Not Found", UTF_8, text("<title>404</title>")), Duration.ZERO, Duration.ZERO);

    /** 404, at once. */
    public static WebResponse notFound() {
        return NOT_FOUND;
    }

    /** 200 with HTML. */
    public static WebResponse page(String html, Duration delay) {
        return new WebResponse(response("200 OK", UTF_8, text(html)), delay, Duration.ZERO);
    }

    /**
     * 200 with HTML that says itself what its charset is, at once.
     *
     * @param body as it is sent
     * @param coding its content coding
     */
    public static WebResponse page(byte[] body, Optional<String> coding) {
        String headers = "Content-Type: text/html\r\n"
                + coding.map(name -> "Content-Encoding: " + name + "\r\n").orElse("");
        return new WebResponse(response("200 OK", headers, body), Duration.ZERO, Duration.ZERO);
    }

    /** The same, begun at once and complete after that time. */
    public WebResponse trickled(Duration over) {
        return new WebResponse(bytes, Duration.ZERO, over.dividedBy(bytes.length));
    }

    private static byte[] text(String html) {
        return html.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] response(String status, String headers, byte[] body) {
        byte[] head = ("HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }
}
