package io.trawl.downloader.fetch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.nio.AsyncResponseConsumer;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.H2StreamResetException;

/**
 * Takes one answer off the wire: keeps a page's bytes up to the limit, and breaks the exchange off as soon as there is more, so that an endless body
 * costs no more than the limit. Other bodies are read to their end and dropped if they are short (the connection can then be used again), else broken
 * off, too. Called by one thread at a time; released by any.
 */
final class AnswerConsumer implements AsyncResponseConsumer<AnswerConsumer.Answer> {
    /** What is read of a body that nobody wants, in order to keep its connection. */
    static final int SMALL = 64 * 1024;
    /** All headers together, in characters: they travel in one record header. */
    static final int HEADERS = 128 * 1024;
    private static final byte[] NONE = {};

    /**
     * Status, headers and raw body.
     *
     * @param headers names in lower case
     * @param cut whether the body was longer than the limit
     */
    record Answer(int status, Map<String, String> headers, byte[] body, boolean cut) {
        boolean isSuccess() { return status >= 200 && status < 300; }
    }

    /** Ends an exchange on purpose: closes a connection of HTTP/1.1, resets a stream of HTTP/2. */
    private static final class BrokenOff extends H2StreamResetException {
        BrokenOff() {
            super(H2Error.CANCEL, "the rest of the body is not wanted");
        }
    }

    private final int bodyLimit;
    private final Consumer<Answer> taker;
    private final BooleanSupplier over;
    private volatile boolean headSeen;
    private volatile boolean complete;
    private int status;
    private Map<String, String> headers = Map.of();
    private byte[] buffer = NONE;
    private int length;
    private long received;

    /**
     * @param taker gets the answer: a whole one when its connection is free again, one that is broken off just before that
     * @param over whether nobody waits for it any more: a cancelled exchange whose bytes keep coming, because the client was just busy with it when it
     *     was cancelled, is broken off at the next of them
     */
    AnswerConsumer(int bodyLimit, Consumer<Answer> taker, BooleanSupplier over) {
        this.bodyLimit = bodyLimit;
        this.taker = taker;
        this.over = over;
    }

    /** Whether status and headers have arrived. */
    boolean headSeen() {
        return headSeen;
    }

    @Override
    public void informationResponse(HttpResponse response, HttpContext context) {
        // 1xx: the answer proper follows; the total time-out bounds how many
    }

    @Override
    public void consumeResponse(HttpResponse response, EntityDetails entity, HttpContext context,
            FutureCallback<Answer> resultCallback) throws IOException {
        headSeen = true;
        status = response.getCode();
        headers = AnswerHeaders.of(response);
        if (entity == null) {
            complete = true;
        } else if (isWanted()) {
            buffer = new byte[Math.clamp(entity.getContentLength(), 1024, Math.min(bodyLimit, 1 << 20))];
        } else if (entity.getContentLength() > SMALL) {
            breakOff();
        }
    }

    private boolean isWanted() { return status >= 200 && status < 300; }

    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
        channel.update(Integer.MAX_VALUE);
    }

    @Override
    public void consume(ByteBuffer source) throws IOException {
        if (over.getAsBoolean()) {
            throw new BrokenOff();
        }
        received += source.remaining();
        if (isWanted()) {
            keep(source);
        }
        if (received > (isWanted() ? bodyLimit : SMALL)) {
            breakOff();
        }
        source.position(source.limit());
    }

    private void keep(ByteBuffer source) {
        int n = Math.min(source.remaining(), bodyLimit - length);
        if (length + n > buffer.length) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(bodyLimit, Math.max(length + n, buffer.length * 2L)));
        }
        source.get(buffer, length, n);
        length += n;
    }

    private void breakOff() throws BrokenOff {
        taker.accept(answer(true));
        throw new BrokenOff();
    }

    @Override
    public void streamEnd(List<? extends Header> trailers) {
        complete = true;
    }

    private Answer answer(boolean cut) {
        return new Answer(status, headers, buffer.length == length ? buffer : Arrays.copyOf(buffer, length), cut);
    }

    @Override
    public void failed(Exception cause) {
        // the client's own callback reports it
    }

    /**
     * Called when the exchange is over. A whole answer is handed over here and not by the client's callback, which comes while the connection is still
     * taken: the next fetch of the same host would open another one.
     */
    @Override
    public void releaseResources() {
        if (complete) {
            complete = false;
            taker.accept(answer(false));
        }
    }
}
