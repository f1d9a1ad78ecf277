package io.trawl.downloader;

import io.trawl.downloader.frontier.Reply;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestId;
import io.trawl.trace.Span;
import io.trawl.trace.SpanName;
import io.trawl.trace.Tracer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The downloader's step of traces: from when a request's first turn begins, retries and the pauses before them included, to its answer. It ends with that and not
 * when Kafka has acknowledged it: the host was asked in either case. Belongs to the frontier's thread.
 */
final class DownloadSpans {
    /** Those that are never answered, since their partitions were given back, are forgotten when so many others have begun. */
    private static final int MOST = 10_000;
    private final Tracer tracer;
    private final Map<RequestId, Span> begun = new LinkedHashMap<>();

    DownloadSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    /** A fetch of this request begins. */
    void turn(Request request) {
        if (request.trace().isThere()) {
            begun.computeIfAbsent(request.id(), id -> begin(request));
            if (begun.size() > MOST) {
                begun.remove(begun.keySet().iterator().next());
            }
        }
    }

    private Span begin(Request request) {
        return tracer.next(request.trace(), SpanName.DOWNLOAD, request.run(), request.url());
    }

    /** This is the answer; returns it with the place in the trace that its response gets. */
    Reply answered(Reply reply) {
        Request request = reply.request();
        if (!request.trace().isThere()) {
            return reply;
        }
        Span span = begun.remove(request.id());
        if (span == null) {
            span = begin(request);
        }
        span.with(Span.OUTCOME, reply.outcome().kind().name()).with(Span.ATTEMPTS, reply.attempts());
        switch (reply.outcome()) {
            case Outcome.Page page -> span.with(Span.STATUS, page.status());
            case Outcome.Redirect redirect -> span.with(Span.STATUS, redirect.status());
            case Outcome.HttpError error -> span.with(Span.STATUS, error.status()).failed(error.detail());
            case Outcome.Failure failure -> span.failed(failure.reason() + ": " + failure.cause());
            case Outcome.Refused refused -> span.failed(refused.reason() + ": " + refused.cause());
            case Outcome.Duplicate _ -> {
                // somebody else has fetched it
            }
        }
        span.end();
        return reply.withTrace(span.context());
    }
}
