package io.trawl.downloader.fetch.http;

import io.trawl.downloader.fetch.coding.ContentDecoder;
import io.trawl.downloader.fetch.budget.BodyBuffer;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.fetch.budget.CompressedBody;
import io.trawl.downloader.fetch.budget.ReceiveBudget;
import io.trawl.model.Response.ArchivedExchange;
import io.trawl.model.FetchOptions;
import io.trawl.scope.MediaTypeRules;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.nio.AsyncResponseConsumer;
import org.apache.hc.core5.http.nio.CapacityChannel;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.H2StreamResetException;

/**
 * Receives one answer: keeps the bytes of a page of a wanted type up to the limit and aborts the exchange beyond it, so
 * that an endless body costs no more than the limit. Short bodies of other answers are read to their end and dropped,
 * so that the connection can be reused; longer ones are aborted, too. Called by one thread at a time; released by any.
 */
final class ResponseConsumer implements AsyncResponseConsumer<ResponseConsumer.Answer> {
    /** The number of bytes of an unneeded body that are read in order to keep its connection. */
    static final int SMALL = 64 * 1024;
    /** The limit of all headers together, in characters, since they are stored in one record header. */
    static final int HEADERS = 128 * 1024;
    private static final byte[] NONE = {};
    private static final String SET_COOKIE = "set-cookie";
    private static final int PARTIAL = 206;

    /**
     * Status, headers and raw body.
     *
     * @param headers names in lower case
     * @param cookies the lines of {@code Set-Cookie}, if they are no headers
     * @param cut whether the body was longer than the limit
     * @param exchange what an archive holds, if the request is archived
     */
    record Answer(int status, Map<String, String> headers, List<String> cookies, byte[] body, boolean cut,
            Optional<ArchivedExchange> exchange) {
        boolean isSuccess() { return status >= 200 && status < 300; }
    }

    /** Aborts an exchange: closes the connection (HTTP/1.1) or resets the stream (HTTP/2). */
    private static final class BrokenOff extends H2StreamResetException {
        BrokenOff() {
            super(H2Error.CANCEL, "the rest of the body is not needed");
        }
    }

    private final int bodyLimit;
    private final long receiveLimit;
    private final boolean compresses;
    private final MediaTypeRules mediaTypes;
    private final boolean keepsCookies;
    private final boolean archived;
    private final boolean ranged;
    private final ReceiveBudget budget;
    private final BodyMemory.Claim claim;
    private final Consumer<Answer> taker;
    private final BooleanSupplier over;
    private volatile boolean headSeen;
    private volatile boolean complete;
    private volatile boolean untilClose;
    private int status;
    private boolean wanted;
    private Map<String, String> headers = Map.of();
    private List<String> cookies = List.of();
    private Optional<ArchivedExchange> exchange = Optional.empty();
    private Optional<BodyBuffer> buffer = Optional.empty();
    private Optional<CompressedBody> compressed = Optional.empty();
    private int length;
    private long received;
    private int expected;

    /**
     * @param request says of which types the body is kept, how much of it, and whether {@code Set-Cookie} is no header
     * @param budget is told what was parsed
     * @param claim the part of the memory that the exchange holds; its owner closes it
     * @param taker gets the answer: a complete one after its connection is released, an aborted one just before
     * @param over whether the exchange was cancelled: if bytes still arrive, because the client was busy with it at
     * that moment, it is aborted at the next of them
     */
    ResponseConsumer(FetchRequest request, ReceiveBudget budget, BodyMemory.Claim claim, Consumer<Answer> taker,
            BooleanSupplier over) {
        this.bodyLimit = request.bodyLimit();
        this.compresses = request.compressed();
        this.receiveLimit = compresses ? FetchOptions.LARGEST_SITEMAP : bodyLimit;
        this.mediaTypes = request.mediaTypes();
        this.keepsCookies = request.cookies().isPresent();
        this.archived = request.archived();
        this.ranged = request.headers().keySet().stream().anyMatch(HttpHeaders.RANGE::equalsIgnoreCase);
        this.budget = budget;
        this.claim = claim;
        this.taker = taker;
        this.over = over;
    }

    /** Whether status and headers have arrived. */
    boolean headSeen() {
        return headSeen;
    }

    @Override
    public void informationResponse(HttpResponse response, HttpContext context) {
        budget.interim();
    }

    @Override
    public void consumeResponse(HttpResponse response, EntityDetails entity, HttpContext context,
            FutureCallback<Answer> resultCallback) throws IOException {
        headSeen = true;
        if (response.getVersion().lessEquals(HttpVersion.HTTP_1_1)) {
            budget.completeHead();
            untilClose = entity != null && entity.getContentLength() < 0
                    && !response.containsHeader(HttpHeaders.TRANSFER_ENCODING);
        } else {
            budget.head();
        }
        status = response.getCode();
        if (status > 999) { // HTTP/2: the client checks three digits in HTTP/1.1 only
            throw new ReceiveBudget.Violation("its status is " + status);
        }
        if (status == PARTIAL && !ranged) { // RFC 9110, section 15.3.7: it may be any part of the page
            throw new ReceiveBudget.Violation("it is a part (206), and no range was asked for");
        }
        headers = AnswerHeaders.of(response);
        if (keepsCookies && headers.remove(SET_COOKIE) != null) {
            cookies = Stream.of(response.getHeaders(SET_COOKIE)).map(Header::getValue).filter(Objects::nonNull)
                    .toList();
        }
        boolean page = status >= 200 && status < 300;
        wanted = page ? mediaTypes.refusal(headers.getOrDefault("content-type", "")).isEmpty() : archived;
        if (archived && wanted) {
            exchange = Optional.of(ExchangeHeads.of(response, context, keepsCookies));
        }
        if (entity == null) {
            complete = true;
        } else if (wanted) {
            expected = entity.getContentLength() < 0 ? bodyLimit : (int) Math.min(bodyLimit, entity.getContentLength());
            if (compresses && page && !ContentDecoder.isCoded(headers.getOrDefault("content-encoding", ""))) {
                compressed = Optional.of(new CompressedBody(bodyLimit));
            } else {
                buffer = Optional.of(new BodyBuffer(bodyLimit, entity.getContentLength()));
            }
        } else if (entity.getContentLength() > SMALL) {
            breakOff();
        }
    }

    /** The client asks when 64 KiB have arrived, and again whenever it has received what was granted. */
    @Override
    public void updateCapacity(CapacityChannel channel) throws IOException {
        if (!wanted || expected <= claim.share()) {
            channel.update(Integer.MAX_VALUE);
        } else if (length < claim.share()) {
            channel.update(claim.share() - length);
        } else {
            claim.request(expected - claim.share(), () -> resume(channel));
        }
    }

    private static void resume(CapacityChannel channel) {
        try {
            channel.update(Integer.MAX_VALUE);
        } catch (IOException e) {
            // the connection is gone, and the client reports it
        }
    }

    @Override
    public void consume(ByteBuffer source) throws IOException {
        if (over.getAsBoolean()) {
            throw new BrokenOff();
        }
        received += source.remaining();
        budget.body(source.remaining());
        if (wanted) {
            keep(source);
        }
        if (received > limit() || compressed.filter(CompressedBody::full).isPresent()) {
            breakOff();
        }
        source.position(source.limit());
    }

    private long limit() {
        return !wanted ? SMALL : compressed.isPresent() ? receiveLimit : bodyLimit;
    }

    private void keep(ByteBuffer source) {
        compressed.ifPresent(body -> body.write(source));
        buffer.ifPresent(body -> body.write(source));
        length = compressed.map(CompressedBody::length).or(() -> buffer.map(BodyBuffer::length)).orElse(0);
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
        byte[] body = compressed.filter(_ -> received > 0).map(CompressedBody::finish)
                .or(() -> buffer.map(BodyBuffer::finish)).orElse(NONE);
        return new Answer(status, headers, cookies, body, cut, exchange);
    }

    @Override
    public void failed(Exception cause) {
        // the client's own callback reports it
    }

    /**
     * Delivers the answer if what the client reports is no failure: the end of a connection completes a body without a
     * length (RFC 9112 section 6.3). If the headers arrived together with an interim response, the client parses them
     * only when it reads the end of the connection, and takes that for a failure.
     *
     * @return whether the answer is delivered
     */
    boolean isCompletedBy(Exception cause) {
        boolean completed = untilClose && cause instanceof ConnectionClosedException;
        if (completed) {
            taker.accept(answer(false));
        }
        return completed;
    }

    /**
     * Called when the exchange is over. A complete answer is delivered here and not in the client's callback, which
     * runs before the connection is released: the next fetch of the same host would open another one.
     */
    @Override
    public void releaseResources() {
        if (complete) {
            complete = false;
            taker.accept(answer(false));
        }
        compressed.ifPresent(CompressedBody::close);
    }
}
