package io.trawl.downloader.fetch.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A small HTTP proxy: forwards requests, one per connection, and opens tunnels, always to servers on loopback,
 * regardless of their names.
 */
final class ForwardProxy implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private volatile String refusal;

    /** @param refusal the status line for refusing every request; empty: none is refused */
    ForwardProxy(String refusal) throws IOException {
        this.refusal = refusal;
        Thread.ofVirtual().name("proxy").start(() -> {
            try {
                while (true) {
                    Socket client = server.accept();
                    open.add(client);
                    Thread.ofVirtual().start(() -> serve(client));
                }
            } catch (IOException e) {
                // closed
            }
        });
    }

    /** The address as in a crawl definition. */
    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** The address with a user and a reference. */
    String url(String user) {
        return "http://" + user + "@127.0.0.1:" + server.getLocalPort();
    }

    /** From now on every request is refused with this status line, or none if it is empty. */
    void refuse(String status) {
        refusal = status;
    }

    /** The requests so far. */
    List<String> heads() {
        return heads;
    }

    private void serve(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            String head = head(in);
            heads.add(head);
            String[] words = head.split(" ", 3);
            if (!refusal.isEmpty()) {
                write(client.getOutputStream(),
                        "HTTP/1.1 " + refusal + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            } else if (words[0].equals("CONNECT")) {
                tunnel(client, in, Integer.parseInt(words[1].substring(words[1].lastIndexOf(':') + 1)));
            } else {
                forward(client, in, URI.create(words[1]), head);
            }
        } catch (IOException e) {
            // one side has gone
        } finally {
            open.remove(client);
        }
    }

    private void tunnel(Socket client, InputStream in, int port) throws IOException {
        try (Socket target = connect(port)) {
            write(client.getOutputStream(), "HTTP/1.1 200 Connection established\r\n\r\n");
            relay(client, in, target);
        }
    }

    private void forward(Socket client, InputStream in, URI url, String head) throws IOException {
        try (Socket target = connect(url.getPort())) {
            String own = head.replaceFirst(" \\S+ ", " " + url.getRawPath() + " ")
                    .replaceFirst("(?i)\r\nConnection: [^\r]*", "")
                    .replaceFirst("\r\n\r\n$", "\r\nConnection: close\r\n\r\n");
            write(target.getOutputStream(), own);
            relay(client, in, target);
        }
    }

    private Socket connect(int port) throws IOException {
        Socket target = new Socket(InetAddress.getLoopbackAddress(), port);
        open.add(target);
        return target;
    }

    private static void relay(Socket client, InputStream in, Socket target) throws IOException {
        Thread.ofVirtual().start(() -> {
            try {
                in.transferTo(target.getOutputStream());
                target.shutdownOutput();
            } catch (IOException e) {
                // one side has gone
            }
        });
        target.getInputStream().transferTo(client.getOutputStream());
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("ended");
            }
            head.write(b);
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
