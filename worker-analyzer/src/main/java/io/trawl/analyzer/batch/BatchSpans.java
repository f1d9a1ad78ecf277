package io.trawl.analyzer.batch;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.model.TraceContext;
import io.trawl.telemetry.Tracing;
import io.trawl.telemetry.Tracing.SpanStep;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;

/**
 * The trace spans of one batch. They end together after the commit, so spans of an aborted batch are never exported.
 * Confined to the analyzer's thread.
 */
final class BatchSpans {
    private final Tracing tracing;
    private final List<Span> started = new ArrayList<>();
    private final Map<RequestId, Span> analyses = new HashMap<>();

    BatchSpans(Tracing tracing) {
        this.tracing = tracing;
    }

    /** The response with the context of its new span, which its requests and its item inherit. */
    ReceivedResponse received(ReceivedResponse receivedResponse, Headers headers) {
        TraceContext parentContext = tracing.read(headers);
        if (!parentContext.isThere()) {
            return receivedResponse;
        }
        Request request = receivedResponse.response().request();
        Span span = start(tracing.step(parentContext, SpanStep.ANALYSIS, request.run(), request.url()));
        analyses.put(request.id(), span);
        return receivedResponse.withTrace(Tracing.context(span));
    }

    /**
     * The trace context of a new request; parentContext this call, the request carries the context of its parent's
     * response.
     */
    TraceContext found(Request request) {
        return Tracing.context(start(tracing.admission(request)));
    }

    /** The trace context for the item of an answered request. */
    TraceContext answered(AnsweredRequest answeredRequest) {
        Span span = analyses.getOrDefault(answeredRequest.id(), Span.getInvalid());
        span.setAttribute(Tracing.OUTCOME, answeredRequest.outcome().name());
        if (answeredRequest.outcome() == OutcomeKind.FAILURE) {
            span.setStatus(StatusCode.ERROR, answeredRequest.detail());
        }
        return Tracing.context(span);
    }

    private Span start(Span span) {
        if (span.getSpanContext().isValid()) {
            started.add(span);
        }
        return span;
    }

    /** Ends all spans. Called after the commit. */
    void end() {
        started.forEach(Span::end);
    }
}
