package io.trawl.testkit.web;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * The response of a path.
 *
 * @param bytes the complete response in wire format; shared and never modified
 * @param delay the time before the response is sent
 * @param piece the time between two bytes; zero: all are sent at once
 */
public record WebResponse(byte[] bytes, Duration delay, Duration piece) {
    private static final WebResponse NOT_FOUND = new WebResponse(response("404 Not Found", "<title>404</title>"),
            Duration.ZERO, Duration.ZERO);

    /** 404, at once. */
    public static WebResponse notFound() {
        return NOT_FOUND;
    }

    /** 200 with HTML. */
    public static WebResponse page(String html, Duration delay) {
        return new WebResponse(response("200 OK", html), delay, Duration.ZERO);
    }

    /** The same, begun at once and complete after that time. */
    public WebResponse trickled(Duration over) {
        return new WebResponse(bytes, Duration.ZERO, over.dividedBy(bytes.length));
    }

    private static byte[] response(String status, String html) {
        byte[] body = html.getBytes(StandardCharsets.UTF_8);
        byte[] head = ("HTTP/1.1 " + status + "\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: "
                + body.length + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }
}
