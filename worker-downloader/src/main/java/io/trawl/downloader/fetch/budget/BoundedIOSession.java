package io.trawl.downloader.fetch.budget;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import io.trawl.time.Time;
import org.apache.hc.core5.http.nio.command.RequestExecutionCommand;
import org.apache.hc.core5.http2.ssl.ApplicationProtocol;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.Command;
import org.apache.hc.core5.reactor.IOEventHandler;
import org.apache.hc.core5.reactor.IOSession;
import org.apache.hc.core5.reactor.ssl.SSLIOSession;
import org.apache.hc.core5.util.Timeout;

/**
 * A connection that bounds what its server may cost, since the client parses as long as bytes arrive.
 *
 * <ul>
 * <li>An event reads at most {@link #TURN} bytes; then the thread serves its other connections. With TLS the client
 * itself reads one buffer (16 KiB) per event.
 * <li>All bytes are charged to the {@link ReceiveBudget} of the exchange.
 * <li>Control frames of HTTP/2 are counted, per exchange and per connection. The client queues an answer to each PING
 * and SETTINGS, also for a server that reads none of them.
 * <li>Bytes that arrive later than the total time-out after the exchange began end the connection. The client forgets a
 * connection whose exchange is cancelled in the TLS handshake, and a server that sends a byte now and then would keep
 * it.
 * <li>A server is not silent while its connection is not read: time that the exchange waits for memory counts for no
 * time-out.
 * <li>An {@link Error} ends its own exchange and connection; it would end the thread of the client otherwise.
 * </ul>
 *
 * The client decorates a connection twice if it uses TLS: then all of this happens in the outer one, to the plaintext.
 * Thread-safe as far as {@link IOSession} demands it: other threads only submit commands.
 */
public final class BoundedIOSession implements IOSession {
    /** Bytes per event. */
    public static final int TURN = 64 * 1024;
    /** Control frames of HTTP/2 per exchange; a usual one has fewer than ten. */
    static final int CONTROL_FRAMES = 200;
    /** The same per connection, for a server that answers without ever reading. */
    static final int ALL_CONTROL_FRAMES = 5_000;

    private final IOSession session;
    private final FrameCounter frames = new FrameCounter();
    private final Duration longest;
    private final Time time;
    private volatile Charged charged;
    private int turn = TURN;
    private int controlFrames;

    /** One exchange on this connection; the client runs one at a time. */
    private static final class Charged {
        private final ReceiveBudget budget;
        private final long began;
        private int controlFrames;

        Charged(ReceiveBudget budget, long began) {
            this.budget = budget;
            this.began = began;
        }
    }

    /** @param longest the longest time of an exchange, with the connection's handshake */
    public BoundedIOSession(IOSession session, Duration longest, Time time) {
        this.session = session;
        this.longest = longest;
        this.time = time;
        this.charged = new Charged(ReceiveBudget.ofConnection(), time.nanos());
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (turn == 0) {
            return 0;
        }
        int limit = target.limit();
        int n;
        try {
            target.limit(Math.min(limit, target.position() + turn));
            n = session.read(target);
        } finally {
            target.limit(limit);
        }
        if (n > 0) {
            turn -= n;
            charged.budget.received(target.duplicate().flip().position(target.position() - n));
        }
        return n;
    }

    /** The client calls this at the begin of each event. */
    @Override
    public void updateReadTime() {
        turn = TURN;
        session.updateReadTime();
    }

    void checkTime() throws ReceiveBudget.TooLate {
        if (time.nanos() - charged.began > longest.plus(charged.budget.waited()).toNanos()) {
            throw new ReceiveBudget.TooLate(longest);
        }
    }

    void decrypted(ByteBuffer plain) throws IOException {
        Charged exchange = charged;
        exchange.budget.received(plain);
        if (session instanceof SSLIOSession tls && tls.getTlsDetails() != null
                && ApplicationProtocol.HTTP_2.id.equals(tls.getTlsDetails().getApplicationProtocol())) {
            int control = frames.control(plain);
            exchange.controlFrames += control;
            controlFrames += control;
            if (exchange.controlFrames > CONTROL_FRAMES || controlFrames > ALL_CONTROL_FRAMES) {
                throw new ReceiveBudget.Violation("it sent more than " + CONTROL_FRAMES
                        + " control frames in one exchange or " + ALL_CONTROL_FRAMES + " in one connection");
            }
        }
    }

    /** Whether the exchange has waited for memory within this time, so that its server was not silent. */
    boolean waitedWithin(Duration silence) {
        return charged.budget.waitedWithin(silence);
    }

    @Override
    public void enqueue(Command command, Command.Priority priority) {
        if (command instanceof RequestExecutionCommand request) {
            charged = new Charged(ReceiveBudget.of(request.getContext()).orElseGet(ReceiveBudget::ofConnection),
                    time.nanos());
        }
        session.enqueue(command, priority);
    }

    @Override
    public void upgrade(IOEventHandler handler) {
        session.upgrade(new GuardedHandler(handler));
    }

    @Override
    public IOEventHandler getHandler() {
        IOEventHandler handler = session.getHandler();
        return handler == null || handler instanceof GuardedHandler ? handler : new GuardedHandler(handler);
    }

    /** Counts the frames in a stream of bytes by their heads (RFC 9113 section 4.1). */
    static final class FrameCounter {
        private static final int DATA = 0;
        private final byte[] head = new byte[9];
        private int filled;
        private int payload;

        /** The number of frames that begin in these bytes and are no DATA frames, or empty ones. */
        int control(ByteBuffer bytes) {
            int count = 0;
            for (int at = bytes.position(); at < bytes.limit();) {
                int skipped = Math.min(payload, bytes.limit() - at);
                payload -= skipped;
                at += skipped;
                if (at < bytes.limit()) {
                    head[filled++] = bytes.get(at++);
                }
                if (filled == head.length) {
                    filled = 0;
                    payload = (head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | head[2] & 0xff;
                    count += head[3] == DATA && payload > 0 ? 0 : 1;
                }
            }
            return count;
        }
    }

    // the rest only delegates

    @Override
    public int write(ByteBuffer source) throws IOException {
        return session.write(source);
    }

    @Override
    public Lock getLock() { return session.getLock(); }

    @Override
    public boolean hasCommands() {
        return session.hasCommands();
    }

    @Override
    public Command poll() {
        return session.poll();
    }

    @Override
    public ByteChannel channel() {
        return session.channel();
    }

    @Override
    public SocketAddress getRemoteAddress() { return session.getRemoteAddress(); }

    @Override
    public SocketAddress getLocalAddress() { return session.getLocalAddress(); }

    @Override
    public int getEventMask() { return session.getEventMask(); }

    @Override
    public void setEventMask(int operations) {
        session.setEventMask(operations);
    }

    @Override
    public void setEvent(int operation) {
        session.setEvent(operation);
    }

    @Override
    public void clearEvent(int operation) {
        session.clearEvent(operation);
    }

    @Override
    public void close() {
        session.close();
    }

    @Override
    public void close(CloseMode mode) {
        session.close(mode);
    }

    @Override
    public boolean isOpen() { return session.isOpen(); }

    @Override
    public Status getStatus() { return session.getStatus(); }

    @Override
    public Timeout getSocketTimeout() { return session.getSocketTimeout(); }

    @Override
    public void setSocketTimeout(Timeout timeout) {
        session.setSocketTimeout(timeout);
    }

    @Override
    public long getLastReadTime() { return session.getLastReadTime(); }

    @Override
    public long getLastWriteTime() { return session.getLastWriteTime(); }

    @Override
    public long getLastEventTime() { return session.getLastEventTime(); }

    @Override
    public void updateWriteTime() {
        session.updateWriteTime();
    }

    @Override
    public String getId() { return session.getId(); }

    @Override
    public String toString() {
        return session.toString();
    }
}
