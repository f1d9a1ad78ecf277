package io.trawl.testkit.web;

import io.trawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * A web server for all loopback addresses on one port: one thread, almost no allocation per response, delays without
 * threads. It supports the subset of HTTP/1.1 that a crawler needs: GET and persistent connections without pipelining.
 * It accepts only local connections. Thread-safe.
 */
public final class LoopbackWeb implements AutoCloseable {
    private static final int WAITING = 4096;
    private final WebPages webPages;
    private final Time time;
    private final Selector selector;
    private final ServerSocketChannel server;
    private final Thread thread;
    private final PriorityQueue<Conversation> delayed = new PriorityQueue<>(
            Comparator.comparingLong(Conversation::due));
    private volatile boolean closed;

    private LoopbackWeb(int port, WebPages webPages, Time time) throws IOException {
        this.webPages = webPages;
        this.time = time;
        selector = Selector.open();
        server = ServerSocketChannel.open();
        server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        server.bind(new InetSocketAddress("0.0.0.0", port), WAITING);
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        thread = Thread.ofPlatform().name("loopback-web").daemon().start(this::serve);
    }

    /**
     * Starts the server.
     *
     * @param port 0: any free one
     * @throws UncheckedIOException if the port is in use
     */
    public static LoopbackWeb start(int port, WebPages webPages, Time time) {
        try {
            return new LoopbackWeb(port, webPages, time);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server's port. */
    public int port() {
        return server.socket().getLocalPort();
    }

    /** {@code address:port} of a host, which is also its politeness key. */
    public String name(int host) {
        return Loopback.address(host) + ":" + port();
    }

    /** An absolute URL in normal form. */
    public String url(int host, String path) {
        return "http://" + name(host) + path;
    }

    private void serve() {
        try {
            while (!closed) {
                selector.select(this::ready, untilNext());
                long now = time.nanos();
                while (!delayed.isEmpty() && delayed.peek().due() - now <= 0) {
                    Conversation speaks = delayed.remove();
                    alive(speaks, () -> {
                        if (speaks.piece() == 0 || !speaks.trickle()) {
                            speaks.write(this::received);
                        } else {
                            delayed.add(speaks);
                        }
                    });
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            closeAll();
        }
    }

    /** Milliseconds; 0 would wait for ever. */
    private long untilNext() {
        return delayed.isEmpty() ? 0 : Math.max(1, (delayed.peek().due() - time.nanos() + 999_999) / 1_000_000);
    }

    private void ready(SelectionKey key) {
        if (key.isAcceptable()) {
            accept();
            return;
        }
        Conversation conversation = (Conversation) key.attachment();
        alive(conversation, () -> {
            if (key.isReadable()) {
                conversation.read(this::received);
            } else if (key.isWritable()) {
                conversation.write(this::received);
            }
        });
    }

    private void accept() {
        try {
            for (SocketChannel socket = server.accept(); socket != null; socket = server.accept()) {
                InetSocketAddress local = (InetSocketAddress) socket.getLocalAddress();
                if (!local.getAddress().isLoopbackAddress()) {
                    socket.close();
                    continue;
                }
                socket.configureBlocking(false);
                socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
                SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
                key.attach(new Conversation(socket, key, Loopback.number(local.getAddress())));
            }
        } catch (IOException e) {
            // The client disconnected before the accept.
        }
    }

    /** Handles a complete request. */
    private void received(Conversation from, String path) throws IOException {
        WebResponse webResponse = webPages.answer(from.host(), path);
        from.answer(webResponse.bytes(), time.nanos() + webResponse.delay().toNanos(), webResponse.piece().toNanos());
        if (webResponse.delay().isPositive() || webResponse.piece().isPositive()) {
            delayed.add(from);
        } else {
            from.write(this::received);
        }
    }

    private interface Step {
        void go() throws IOException;
    }

    private void alive(Conversation conversation, Step step) {
        try {
            step.go();
        } catch (IOException e) {
            delayed.remove(conversation);
            conversation.close();
        }
    }

    private void closeAll() {
        selector.keys().stream().map(SelectionKey::attachment).filter(Conversation.class::isInstance)
                .map(Conversation.class::cast).forEach(Conversation::close);
        try (selector; server) {
            delayed.clear();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops listening and closes all connections. */
    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
