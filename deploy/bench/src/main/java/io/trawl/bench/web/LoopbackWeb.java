package io.trawl.bench.web;

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
 * A web server for all loopback addresses at one port: one thread, no allocation per answer but its own bookkeeping, delays without threads. It speaks
 * as much HTTP/1.1 as a crawler needs: GET, kept connections, one request at a time on each. It answers nobody but this machine. Thread-safe.
 */
public final class LoopbackWeb implements AutoCloseable {
    private static final int WAITING = 4096;
    private final Pages pages;
    private final Time time;
    private final Selector selector;
    private final ServerSocketChannel server;
    private final Thread thread;
    private final PriorityQueue<Conversation> silent = new PriorityQueue<>(Comparator.comparingLong(Conversation::due));
    private volatile boolean closed;

    private LoopbackWeb(int port, Pages pages, Time time) throws IOException {
        this.pages = pages;
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
     * Starts to serve.
     *
     * @param port 0: any free one
     * @throws UncheckedIOException if the port is taken
     */
    public static LoopbackWeb start(int port, Pages pages, Time time) {
        try {
            return new LoopbackWeb(port, pages, time);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one port. */
    public int port() {
        return server.socket().getLocalPort();
    }

    /** {@code address:port} of a host, which is its politeness key as well. */
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
                while (!silent.isEmpty() && silent.peek().due() - now <= 0) {
                    Conversation speaks = silent.remove();
                    alive(speaks, () -> speaks.write(this::heard));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            hangUp();
        }
    }

    /** Milliseconds; 0 would wait for ever. */
    private long untilNext() {
        return silent.isEmpty() ? 0 : Math.max(1, (silent.peek().due() - time.nanos() + 999_999) / 1_000_000);
    }

    private void ready(SelectionKey key) {
        if (key.isAcceptable()) {
            accept();
            return;
        }
        Conversation conversation = (Conversation) key.attachment();
        alive(conversation, () -> {
            if (key.isReadable()) {
                conversation.read(this::heard);
            } else if (key.isWritable()) {
                conversation.write(this::heard);
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
            // The client was gone before it was welcomed.
        }
    }

    /** A whole request has come. */
    private void heard(Conversation from, String path) throws IOException {
        Answer answer = pages.answer(from.host(), path);
        from.answer(answer.bytes(), time.nanos() + answer.delay().toNanos());
        if (answer.delay().isPositive()) {
            silent.add(from);
        } else {
            from.write(this::heard);
        }
    }

    private interface Step {
        void go() throws IOException;
    }

    private void alive(Conversation conversation, Step step) {
        try {
            step.go();
        } catch (IOException e) {
            silent.remove(conversation);
            conversation.close();
        }
    }

    private void hangUp() {
        selector.keys().stream().map(SelectionKey::attachment).filter(Conversation.class::isInstance)
                .map(Conversation.class::cast)
                .forEach(Conversation::close);
        try (selector; server) {
            silent.clear();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Stops listening and breaks all connections. */
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
