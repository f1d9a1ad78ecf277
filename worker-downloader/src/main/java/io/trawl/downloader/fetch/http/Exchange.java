package io.trawl.downloader.fetch.http;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.coding.ContentDecoder;
import io.trawl.downloader.fetch.http.AddressGuard.AddressRefused;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.fetch.budget.ReceiveBudget;
import io.trawl.downloader.fetch.http.ResponseConsumer.Answer;
import io.trawl.model.Response.ArchivedExchange;
import io.trawl.model.Body;
import io.trawl.model.Durations;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.RequestNotExecutedException;

/**
 * One request from its start to its single result. The first result wins (the answer, a failure, the total time-out);
 * later ones are ignored, and work that is still running is cancelled. If the server has closed a kept connection, the
 * request is sent once more over a new one: that is not a failure of the host (RFC 9112 section 9.3.1).
 */
final class Exchange {
    /** Sends the request over a pooled or new connection. */
    interface Sender {
        Future<Answer> send(ResponseConsumer consumer, HttpClientContext context, FutureCallback<Answer> callback);
    }

    private final FetchRequest fetchRequest;
    private final Peer peer;
    private final Duration silence;
    private final Sender sender;
    private final FetchPermit fetchPermit;
    private final BodyMemory.Claim claim;
    private final Executor inflaters;
    private final Time time;
    private volatile long began;
    private volatile boolean found;
    private final CompletableFuture<FetchResult> result = new CompletableFuture<>();
    private volatile ProxyState proxyState = ProxyState.UNKNOWN;
    private volatile Optional<Future<?>> running = Optional.empty();
    private volatile Optional<ResponseConsumer> receiving = Optional.empty();

    Exchange(FetchRequest fetchRequest, Peer peer, Duration silence, Sender sender, FetchPermit fetchPermit,
            BodyMemory.Claim claim, Executor inflaters, Time time) {
        this.fetchRequest = fetchRequest;
        this.peer = peer;
        this.silence = silence;
        this.sender = sender;
        this.fetchPermit = fetchPermit;
        this.claim = claim;
        this.inflaters = inflaters;
        this.time = time;
        this.began = time.nanos();
        result.whenComplete((_, _) -> claim.close());
    }

    /** The result of the exchange. Never completes exceptionally. */
    CompletableFuture<FetchResult> result() {
        return result;
    }

    /** What it says about its proxy; call it when the result is there. */
    ProxyState proxyState() {
        return proxyState;
    }

    /** When it began, by {@link Time#nanos}: when the address of its peer was known. */
    long began() {
        return began;
    }

    /** Sends the request. The time that its name took to find does not count. */
    void begin() {
        began = time.nanos();
        found = true;
        send(false);
    }

    private void send(boolean again) {
        if (result.isDone()) {
            return;
        }
        HttpClientContext context = HttpClientContext.create();
        ReceiveBudget budget = new ReceiveBudget(claim);
        budget.attachTo(context);
        PermitCheck.attach(fetchPermit, context);
        ResponseConsumer consumer = new ResponseConsumer(fetchRequest, budget, claim,
                answer -> answered(answer, context), result::isDone);
        receiving = Optional.of(consumer);
        try {
            if (!fetchPermit.holds()) {
                withdraw();
                return;
            }
            running = Optional.of(sender.send(consumer, context, new FutureCallback<>() {
                @Override
                public void completed(Answer answer) {
                    // the consumer delivers answers
                }

                @Override
                public void failed(Exception cause) {
                    if (cause instanceof PermitCheck.NotCleared) {
                        withdraw();
                    } else if (!again && !consumer.headSeen() && wasKept(context, cause)) {
                        Exchange.this.send(true);
                    } else if (!consumer.isCompletedBy(cause)) {
                        proxyState = consumer.headSeen() ? ProxyState.UNKNOWN : ProxyState.after(cause, peer, context);
                        fail(cause, consumer.headSeen());
                    }
                }

                @Override
                public void cancelled() {
                    end(new Outcome.Failure(FailureReason.OTHER, "the fetch from " + peer + " was cancelled"));
                }
            }));
        } catch (RuntimeException | Error e) {
            fail(e, false);
        }
        if (result.isDone()) {
            cancel();
        }
    }

    /** Whether the request was sent over a reused connection, or not at all. */
    private static boolean wasKept(HttpClientContext context, Exception cause) {
        EndpointDetails details = context.getEndpointDetails();
        return cause instanceof RequestNotExecutedException
                || cause instanceof IOException && details != null && details.getRequestCount() > 1;
    }

    /** What is left of the total time-out. Time that the exchange waits for memory does not count. */
    Duration remaining(Duration limit) {
        return limit.plus(claim.waited()).minus(took());
    }

    /** Ends the exchange because the total time-out is over. */
    void timeOut(Duration limit) {
        end(found
                ? new Outcome.Failure(FailureReason.TIMEOUT,
                        peer + " did not complete its answer within " + Durations.format(limit))
                : new Outcome.Failure(FailureReason.DNS,
                        "the name of " + peer + " was not found within " + Durations.format(limit)),
                receiving.filter(ResponseConsumer::headSeen).isPresent());
        cancel();
    }

    /** Whether it began under this permit. */
    boolean under(FetchPermit which) {
        return fetchPermit == which;
    }

    /** Ends the exchange, if it began at all, because its permit has ended. */
    void withdraw() {
        result.complete(FetchResult.withdrawn(took(), time.now()));
        cancel();
    }

    private void cancel() {
        running.ifPresent(future -> future.cancel(true));
    }

    /** Ends the exchange with the outcome of an exception. */
    void fail(Throwable cause, boolean headSeen) {
        Outcome outcome = FailureCauses.outcome(cause, peer, headSeen, silence);
        end(claim.isWaiting()
                ? new Outcome.Failure(FailureReason.TIMEOUT,
                        peer + " gave up while the downloader had no memory for the rest of its body")
                : outcome, headSeen);
    }

    /** Ends the exchange without an answer. */
    void end(Outcome outcome) {
        end(outcome, false);
    }

    private void end(Outcome outcome, boolean headSeen) {
        result.complete(headSeen
                ? FetchResult.broken(outcome, took(), time.now())
                : FetchResult.without(outcome, took(), time.now()));
    }

    private Duration took() {
        return Duration.ofNanos(time.nanos() - began);
    }

    private void answered(Answer answer, HttpClientContext context) {
        Duration took = took();
        Instant at = time.now();
        proxyState = ProxyState.after(answer, peer, context);
        if (ProxyState.hasAnswered(answer, peer, context)) {
            complete(answer,
                    new Outcome.Failure(FailureReason.PROXY, "the proxy " + peer.proxy().orElseThrow()
                            + " refused a request for " + peer.target() + " with " + answer.status()),
                    Body.EMPTY, took, at);
            return;
        }
        fetchRequest.cookies().ifPresent(cookies -> cookies.take(fetchRequest.url(), answer.cookies()));
        String coding = answer.headers().getOrDefault("content-encoding", "");
        if (!answer.isSuccess() || answer.body().length == 0 || !ContentDecoder.isCoded(coding)
                || fetchRequest.compressed() && coding.strip().equalsIgnoreCase(ContentDecoder.GZIP)) {
            result.complete(archived(answer, FetchResult.answered(answer.status(), answer.headers(),
                    new Body(answer.body()), answer.cut(), took, at)));
        } else {
            inflate(answer, coding, took, at);
        }
    }

    /** Ends the exchange because the name of its peer has no address, or none that may be connected to. */
    void unresolved(Throwable cause) {
        if (peer.proxy().isPresent() && cause instanceof UnknownHostException && !(cause instanceof AddressRefused)) {
            proxyState = ProxyState.FAILS;
        }
        fail(cause, false);
    }

    /** Runs on a thread of its own, since it costs more than moving bytes. */
    private void inflate(Answer answer, String coding, Duration took, Instant at) {
        try {
            inflaters.execute(() -> {
                if (result.isDone()) {
                    return;
                }
                try {
                    var inflated = ContentDecoder.inflate(coding, answer.body(), answer.cut(),
                            fetchRequest.bodyLimit());
                    complete(answer, new Outcome.Success(answer.status(), inflated.truncated(), inflated.damage()),
                            inflated.body(), took, at);
                } catch (ContentDecoder.BrokenCodingException e) {
                    complete(answer, new Outcome.Failure(FailureReason.PROTOCOL, String.valueOf(e.getMessage())),
                            Body.EMPTY, took, at);
                } catch (RuntimeException | Error e) {
                    fail(e, true);
                }
            });
        } catch (RejectedExecutionException e) {
            fail(e, true);
        }
    }

    private void complete(Answer answer, Outcome outcome, Body body, Duration took, Instant at) {
        result.complete(archived(answer, FetchResult.answered(outcome, answer.headers(), body, took, at)));
    }

    /** Through a proxy, the address is not that of the server. */
    private FetchResult archived(Answer answer, FetchResult fetched) {
        return answer.exchange().filter(_ -> !(fetched.outcome() instanceof Outcome.Failure))
                .map(held -> fetched
                        .archived(
                                new ArchivedExchange(held.request(), held.response(),
                                        held.address().filter(_ -> peer.proxy().isEmpty()), held.protocol(),
                                        answer.cut() || fetched.outcome() instanceof Outcome.Success page
                                                && page.truncated() && page.damage().isEmpty()),
                                new Body(answer.body())))
                .orElse(fetched);
    }

    /**
     * The peer of an exchange, for messages.
     *
     * @param target {@code host} or {@code host:port}
     * @param proxy the same of the proxy, if there is one
     * @param tls whether the target uses TLS: then a proxy only opens a tunnel
     */
    record Peer(String target, Optional<String> proxy, boolean tls) {
        @Override
        public String toString() {
            return target + proxy.map(p -> " through the proxy " + p).orElse("");
        }
    }
}
