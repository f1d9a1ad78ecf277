package io.trawl.downloader.fetch;

import io.trawl.downloader.fetch.AnswerConsumer.Answer;
import io.trawl.model.Body;
import io.trawl.model.Durations;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.time.Time;
import java.io.IOException;
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
 * One GET from its beginning to its one result. The first to have a result wins (the answer, a failure, the total time-out); what comes later is
 * ignored, and what still runs is cancelled. A kept connection that turns out to have been closed by the server is replaced by a fresh one, once:
 * that is no failure of the host (RFC 9112 section 9.3.1).
 */
final class Exchange {
    /** Sends the request over a pooled or new connection. */
    interface Sender {
        Future<Answer> send(AnswerConsumer consumer, HttpClientContext context, FutureCallback<Answer> callback);
    }

    private final Get get;
    private final Peer peer;
    private final Duration silence;
    private final Sender sender;
    private final Clearance clearance;
    private final Executor inflaters;
    private final Time time;
    private final long began;
    private final CompletableFuture<Fetched> result = new CompletableFuture<>();
    private volatile Optional<Future<?>> running = Optional.empty();

    Exchange(Get get, Peer peer, Duration silence, Sender sender, Clearance clearance, Executor inflaters, Time time) {
        this.get = get;
        this.peer = peer;
        this.silence = silence;
        this.sender = sender;
        this.clearance = clearance;
        this.inflaters = inflaters;
        this.time = time;
        this.began = time.nanos();
    }

    /** What the exchange comes to. Never fails. */
    CompletableFuture<Fetched> result() {
        return result;
    }

    /** Sends the request. */
    void send(boolean again) {
        if (result.isDone()) {
            return;
        }
        if (!clearance.holds()) {
            withdraw();
            return;
        }
        HttpClientContext context = HttpClientContext.create();
        AnswerConsumer consumer = new AnswerConsumer(get.bodyLimit(), answer -> answered(answer, context), result::isDone);
        try {
            running = Optional.of(sender.send(consumer, context, new FutureCallback<>() {
                @Override
                public void completed(Answer answer) {
                    // the consumer hands answers over
                }

                @Override
                public void failed(Exception cause) {
                    if (cause instanceof ClearedRequest.NotCleared) {
                        withdraw();
                    } else if (!again && !consumer.headSeen() && wasKept(context, cause)) {
                        Exchange.this.send(true);
                    } else {
                        fail(cause, consumer.headSeen());
                    }
                }

                @Override
                public void cancelled() {
                    end(new Outcome.Failure(FailureReason.OTHER, "the fetch from " + peer + " was given up"));
                }
            }));
        } catch (RuntimeException e) {
            fail(e, false);
        }
        if (result.isDone()) {
            cancel();
        }
    }

    /** Whether the request was sent over a connection that has carried others before, or not at all. */
    private static boolean wasKept(HttpClientContext context, Exception cause) {
        EndpointDetails details = context.getEndpointDetails();
        return cause instanceof RequestNotExecutedException
                || cause instanceof IOException && details != null && details.getRequestCount() > 1;
    }

    /** Ends the exchange: it took longer than allowed in all. */
    void timeOut(Duration limit) {
        end(new Outcome.Failure(FailureReason.TIMEOUT, peer + " did not complete its answer within " + Durations.format(limit)));
        cancel();
    }

    /** Whether it was begun under this clearance. */
    boolean under(Clearance which) {
        return clearance == which;
    }

    /** Ends the exchange, if it was begun at all: its clearance has ended. */
    void withdraw() {
        result.complete(Fetched.withdrawn(took(), time.now()));
        cancel();
    }

    private void cancel() {
        running.ifPresent(future -> future.cancel(true));
    }

    /** Ends the exchange with the outcome that an exception stands for. */
    void fail(Throwable cause, boolean headSeen) {
        end(Causes.outcome(cause, peer, headSeen, silence));
    }

    /** Ends the exchange without an answer. */
    void end(Outcome outcome) {
        result.complete(Fetched.without(outcome, took(), time.now()));
    }

    private Duration took() {
        return Duration.ofNanos(time.nanos() - began);
    }

    private void answered(Answer answer, HttpClientContext context) {
        Duration took = took();
        Instant at = time.now();
        if (isOfProxy(answer, context)) {
            complete(answer, new Outcome.Failure(FailureReason.PROXY,
                    "the proxy " + peer.proxy().orElseThrow() + " refused a request for " + peer.target() + " with "
                            + answer.status()),
                    Body.EMPTY, took, at);
            return;
        }
        String coding = answer.headers().getOrDefault("content-encoding", "");
        if (!answer.isSuccess()) {
            complete(answer, status(answer), Body.EMPTY, took, at);
        } else if (answer.body().length == 0 || !ContentCodings.isCoded(coding)) {
            complete(answer, new Outcome.Page(answer.status(), answer.cut()), new Body(answer.body()), took, at);
        } else {
            inflate(answer, coding, took, at);
        }
    }

    /**
     * Whether the proxy has answered instead of the host: the client hands the answer to a refused CONNECT on as if it were the host's, but then there is
     * no TLS. Of what is not in a tunnel only one status is a proxy's alone (RFC 9110 section 15.5.8).
     */
    private boolean isOfProxy(Answer answer, HttpClientContext context) {
        return peer.proxy().isPresent() && (peer.tls() ? context.getSSLSession() == null : answer.status() == 407);
    }

    /** Away from the threads that move bytes: it is the one thing here that costs more than moving them. */
    private void inflate(Answer answer, String coding, Duration took, Instant at) {
        try {
            inflaters.execute(() -> {
                try {
                    var inflated = ContentCodings.inflate(coding, answer.body(), answer.cut(), get.bodyLimit());
                    complete(answer, new Outcome.Page(answer.status(), inflated.truncated()), inflated.body(), took, at);
                } catch (ContentCodings.Broken e) {
                    complete(answer, new Outcome.Failure(FailureReason.PROTOCOL, e.getMessage()), Body.EMPTY, took, at);
                } catch (RuntimeException | LinkageError e) {
                    fail(e, true);
                }
            });
        } catch (RejectedExecutionException e) {
            fail(e, true);
        }
    }

    private static Outcome status(Answer answer) {
        String location = answer.headers().getOrDefault("location", "").strip();
        boolean redirect = answer.status() >= 300 && answer.status() < 400 && answer.status() != 304 && !location.isEmpty();
        return redirect ? new Outcome.Redirect(answer.status(), location) : new Outcome.HttpError(answer.status());
    }

    private void complete(Answer answer, Outcome outcome, Body body, Duration took, Instant at) {
        Optional<Duration> wish = RetryAfter.parse(answer.headers().getOrDefault("retry-after", ""), at);
        result.complete(new Fetched(outcome, answer.headers(), body, took, wish, at));
    }
}
