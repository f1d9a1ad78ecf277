package io.trawl.downloader.fetch.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A loopback server that sends exactly the bytes of a test, also invalid ones. */
public final class RawServer implements AutoCloseable {
    /** Handles one request. */
    public interface Script {
        /** @throws IOException when the client has gone, which ends the connection */
        void answer(Turn turn) throws IOException;
    }

    /** One request on one connection. */
    public record Turn(String head, String body, int number, Socket socket, OutputStream out) {
        /** The request target. */
        public String path() {
            return head.split(" ", 3)[1];
        }

        /** Writes text unchanged. */
        public void write(String text) throws IOException {
            write(text.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Writes bytes unchanged. */
        public void write(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        /** A valid answer; {@code fields} are whole header lines. */
        public void answer(String status, byte[] body, String... fields) throws IOException {
            StringBuilder text = new StringBuilder(
                    "HTTP/1.1 " + status + "\r\nContent-Length: " + body.length + "\r\n");
            List.of(fields).forEach(field -> text.append(field).append("\r\n"));
            write(text + "\r\n");
            write(body);
        }

        /** A valid answer with a text. */
        public void answer(String status, String body, String... fields) throws IOException {
            answer(status, body.getBytes(StandardCharsets.UTF_8), fields);
        }

        /** Resets the connection instead of closing it. */
        public void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *([0-9]+)");
    /** The first byte of a client that begins with TLS, which this server ends instead of letting it wait. */
    private static final int TLS_HANDSHAKE = 0x16;
    private final ServerSocket server = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final List<String> heads = new CopyOnWriteArrayList<>();

    /** Starts to listen. */
    public RawServer(Script script) throws IOException {
        Thread.ofVirtual().name("accept").start(() -> {
            try {
                while (true) {
                    Socket socket = server.accept();
                    socket.setTcpNoDelay(true);
                    connections.incrementAndGet();
                    open.add(socket);
                    Thread.ofVirtual().start(() -> serve(socket, script));
                }
            } catch (IOException e) {
                // closed
            }
        });
    }

    private void serve(Socket socket, Script script) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            int number = 0;
            for (String head = head(in); !head.isEmpty(); head = head(in)) {
                heads.add(head);
                script.answer(new Turn(head, body(in, head), number++, socket, socket.getOutputStream()));
            }
        } catch (IOException e) {
            // the client has gone
        } finally {
            open.remove(socket);
        }
    }

    private static String body(InputStream in, String head) throws IOException {
        Matcher length = LENGTH.matcher(head);
        return length.find()
                ? new String(in.readNBytes(Integer.parseInt(length.group(1))), StandardCharsets.UTF_8)
                : "";
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0; b = in.read()) {
            if (b == TLS_HANDSHAKE && head.size() == 0) {
                return "";
            }
            head.write(b);
            if (b == '\n' && head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
                return head.toString(StandardCharsets.ISO_8859_1);
            }
        }
        return "";
    }

    /** {@code http://127.0.0.1:port} and the path. */
    public String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    /** The port. */
    public int port() {
        return server.getLocalPort();
    }

    /** The number of accepted connections. */
    public int connections() {
        return connections.get();
    }

    /** The number of open connections. */
    public int openConnections() {
        return open.size();
    }

    /** The requests so far: request line and header lines of each. */
    public List<String> heads() {
        return heads;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
