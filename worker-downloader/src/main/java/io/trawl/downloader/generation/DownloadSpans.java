package io.trawl.downloader.generation;

import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.telemetry.Tracing;
import io.trawl.telemetry.Tracing.SpanStep;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The downloader's span of a trace: from the first turn of a request, including retries and the pauses before them, to
 * its answer. It does not wait for Kafka's acknowledgement, since the host was asked in either case. Belongs to the
 * frontier's thread.
 */
public final class DownloadSpans {
    /** Requests of revoked partitions are never answered; beyond this number the oldest spans are dropped. */
    private static final int MOST = 10_000;
    private final Tracing tracing;
    private final Map<RequestId, Span> begun = new LinkedHashMap<>();

    /** @param tracing where spans go */
    public DownloadSpans(Tracing tracing) {
        this.tracing = tracing;
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
        return tracing.step(request.trace(), SpanStep.DOWNLOAD, request.run(), request.url());
    }

    /** Ends the span; returns the answer with the trace context for its response. */
    RequestAnswer answered(RequestAnswer requestAnswer) {
        Request request = requestAnswer.request();
        if (!request.trace().isThere()) {
            return requestAnswer;
        }
        Span span = begun.remove(request.id());
        if (span == null) {
            span = begin(request);
        }
        span.setAttribute(Tracing.OUTCOME, requestAnswer.outcome().kind().name()).setAttribute(Tracing.ATTEMPTS,
                requestAnswer.attempts());
        switch (requestAnswer.outcome()) {
            case Outcome.Success success -> span.setAttribute(Tracing.STATUS, success.status());
            case Outcome.Unchanged _ -> span.setAttribute(Tracing.STATUS, Outcome.Unchanged.STATUS);
            case Outcome.Redirect redirect -> span.setAttribute(Tracing.STATUS, redirect.status());
            case Outcome.HttpError error ->
                span.setAttribute(Tracing.STATUS, error.status()).setStatus(StatusCode.ERROR, error.detail());
            case Outcome.Failure failure -> span.setStatus(StatusCode.ERROR, failure.reason() + ": " + failure.cause());
            case Outcome.Refused refused -> span.setStatus(StatusCode.ERROR, refused.reason() + ": " + refused.cause());
            case Outcome.Duplicate _ -> {
                // another request has fetched it
            }
        }
        span.end();
        return requestAnswer.withTrace(Tracing.context(span));
    }
}
