package io.trawl.testkit.hostile;

import io.trawl.time.Time;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLSocket;

/** A connection to a client, for a server that sends exactly the bytes of its case. Not thread-safe. */
public final class Wire {
    private static final Duration BETWEEN_DROPS = Duration.ofMillis(100);
    private static final int LONGEST_HEAD = 64 << 10;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final HostileWeb web;
    private final Runnable requested;

    /** @param requested called for each request */
    Wire(Socket socket, HostileWeb web, Runnable requested) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
        this.web = web;
        this.requested = requested;
    }

    /** The path and query of the next request; empty if there is none. */
    String request() throws IOException {
        StringBuilder head = new StringBuilder();
        for (int b = in.read(); b >= 0 && head.length() < LONGEST_HEAD; b = in.read()) {
            head.append((char) b);
            if (b == '\n' && head.toString().endsWith("\r\n\r\n")) {
                requested.run();
                String[] words = head.toString().split(" ", 3);
                return words.length == 3 ? words[1] : "";
            }
        }
        return "";
    }

    /** The server's web, for the addresses of others. */
    HostileWeb web() {
        return web;
    }

    /** The protocol that the client has chosen in the TLS handshake; empty if none. */
    String protocol() {
        return socket instanceof SSLSocket tls ? tls.getApplicationProtocol() : "";
    }

    /** Sends text unchanged, one byte per character. */
    void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends bytes unchanged. */
    void send(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Sends the same text until the client goes. */
    void sendForEver(String text) throws IOException {
        byte[] bytes = text.repeat(1 + 16_000 / text.length()).getBytes(StandardCharsets.ISO_8859_1);
        while (true) {
            send(bytes);
        }
    }

    /** Sends the same text again and again, ten times a second, until the client goes. */
    void drip(String text) throws IOException, InterruptedException {
        while (true) {
            send(text);
            Time.system().pause(BETWEEN_DROPS);
        }
    }

    /** A correct answer; {@code fields} are whole header lines. */
    void answer(String status, byte[] body, String... fields) throws IOException {
        send("HTTP/1.1 " + status + "\r\nContent-Length: " + body.length + "\r\n" + lines(fields) + "\r\n");
        send(body);
    }

    /** A correct answer with a page. */
    void page(String html, String... fields) throws IOException {
        answer("200 OK", html.getBytes(StandardCharsets.UTF_8),
                lines("Content-Type: text/html", lines(fields).strip()).strip());
    }

    /** The beginning of an answer whose body has no end but that of the connection. */
    void begin(String... fields) throws IOException {
        send("HTTP/1.1 200 OK\r\n" + lines("Content-Type: text/html") + lines(fields) + "\r\n");
    }

    private static String lines(String... fields) {
        StringBuilder all = new StringBuilder();
        for (String field : fields) {
            all.append(field.isEmpty() ? "" : field + "\r\n");
        }
        return all.toString();
    }

    /** Says nothing until the client goes. */
    void silence() throws IOException {
        in.transferTo(OutputStream.nullOutputStream());
    }

    /** Resets the connection instead of closing it. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }
}
