package io.trawl.downloader.fetch.budget;

import io.trawl.model.Durations;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.protocol.HttpContext;

/**
 * What one exchange may receive beside its body, whose limit the consumer of the response enforces. The
 * {@link BoundedIOSession} charges each byte before the client parses it. Used by the thread of the connection only.
 */
public final class ReceiveBudget {
    /** Interim responses (1xx, RFC 9110 section 15.2) before the final one. */
    static final int INTERIM = 16;
    /** Bytes up to the end of the final headers, with all interim responses. */
    static final int HEAD = 256 * 1024;
    /**
     * Bytes that are neither headers nor body: chunk headers with their extensions, trailers, padding, heads of frames.
     * A quarter of the body is added, so chunks of 20 bytes and more never reach the limit.
     */
    static final int FRAMING = 512 * 1024;
    private static final String ATTRIBUTE = "trawl.receive-budget";

    private final Optional<BodyMemory.Claim> claim;
    private int interim;
    private boolean headSeen;
    private int emptyLines;
    private boolean lineIsEmpty;
    private long received;
    private long body;

    private ReceiveBudget(Optional<BodyMemory.Claim> claim) {
        this.claim = claim;
    }

    /** @param claim of the same exchange: while it waits, the client does not read */
    public ReceiveBudget(BodyMemory.Claim claim) {
        this(Optional.of(claim));
    }

    /** For a connection before its first exchange. */
    static ReceiveBudget ofConnection() {
        return new ReceiveBudget(Optional.empty());
    }

    /** The answer is longer than allowed beside its body, and cannot be cut. */
    public static final class TooLarge extends IOException {
        /** @param message for people; names the limit */
        public TooLarge(String message) {
            super(message);
        }
    }

    /** Bytes arrived after the longest time of an exchange. */
    public static final class TooLate extends IOException {
        /** @param longest the longest time */
        public TooLate(Duration longest) {
            super("did not complete its answer within " + Durations.format(longest));
        }
    }

    /** The answer breaks the rules of HTTP, or costs more than any honest one. */
    public static final class Violation extends IOException {
        /** @param message for people; what the server did */
        public Violation(String message) {
            super(message);
        }

        Violation(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** The budget of the exchange with this context. */
    public static Optional<ReceiveBudget> of(HttpContext context) {
        return Optional.ofNullable((ReceiveBudget) context.getAttribute(ATTRIBUTE));
    }

    /** Makes it the budget of the exchange with this context. */
    public void attachTo(HttpContext context) {
        context.setAttribute(ATTRIBUTE, this);
    }

    /** How long the exchange has waited for memory. */
    Duration waited() {
        return claim.map(BodyMemory.Claim::waited).orElse(Duration.ZERO);
    }

    /** Whether the exchange waits for memory, or did so within this last time. */
    boolean waitedWithin(Duration last) {
        return claim.filter(c -> c.waitedWithin(last)).isPresent();
    }

    /** An interim response has been parsed. */
    public void interim() {
        interim++;
    }

    /** The headers of the final response have been parsed. */
    public void head() {
        headSeen = true;
    }

    /**
     * The same for HTTP/1.1. At the end of a connection the client takes what it has of the headers for all of them;
     * here they must have ended with an empty line (RFC 9112 section 2.1), like those of each interim response.
     *
     * @throws ConnectionClosedException if they have not
     */
    public void completeHead() throws ConnectionClosedException {
        head();
        if (emptyLines <= interim) {
            throw new ConnectionClosedException();
        }
    }

    /** So many bytes of the body have been parsed. */
    public void body(int bytes) {
        body += bytes;
    }

    /**
     * The bytes between position and limit have arrived and will be parsed now. They are not consumed.
     *
     * @throws IOException if the budget is exceeded
     */
    void received(ByteBuffer bytes) throws IOException {
        received += bytes.remaining();
        if (!headSeen) {
            countEmptyLines(bytes);
        }
        if (interim > INTERIM) {
            throw new Violation("it sent more than " + INTERIM + " interim responses (1xx)");
        }
        if (!headSeen && received > HEAD) {
            throw new TooLarge("the headers of the answer and of its interim responses are longer than " + HEAD
                    + " bytes together");
        }
        if (received - body > HEAD + FRAMING + body / 4) {
            throw new Violation("its chunk headers, trailers or frames are longer than " + FRAMING
                    + " bytes and a quarter of the body");
        }
    }

    private void countEmptyLines(ByteBuffer bytes) {
        for (int i = bytes.position(); i < bytes.limit(); i++) {
            byte b = bytes.get(i);
            if (b == '\n') {
                emptyLines += lineIsEmpty ? 1 : 0;
                lineIsEmpty = true;
            } else if (b != '\r') {
                lineIsEmpty = false;
            }
        }
    }
}
