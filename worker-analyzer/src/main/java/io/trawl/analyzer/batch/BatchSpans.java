package io.trawl.analyzer.batch;

import io.trawl.ledger.LedgerRecord.Answered;
import io.trawl.model.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.RequestId;
import io.trawl.model.TraceContext;
import io.trawl.trace.Span;
import io.trawl.trace.SpanName;
import io.trawl.trace.Tracer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;

/**
 * The steps that one batch contributes to traces. They end together, after the commit: those of a batch that is given up are never told of. The target of a
 * redirect goes on with the trace, as it is still the same wish; a link begins one of its own that links to that of its page, or a crawl would be one trace of
 * millions of spans. Belongs to the analyzer's thread.
 */
final class BatchSpans {
    private final Tracer tracer;
    private final List<Span> begun = new ArrayList<>();
    private final Map<RequestId, Span> analyses = new HashMap<>();

    BatchSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    /** The response with its place in the trace, which what follows from it is told. */
    Received received(Received received, Headers headers) {
        TraceContext before = tracer.read(headers);
        if (!before.isThere()) {
            return received;
        }
        Request request = received.response().request();
        Span span = begin(tracer.next(before, SpanName.ANALYSIS, request.run(), request.url()));
        analyses.put(request.id(), span);
        return received.withTrace(span.context());
    }

    /** The place of a request that was found here, which so far bears that of the response that named it. */
    TraceContext found(Request request) {
        boolean redirected = request.redirects() > 0 && request.trace().isThere();
        return begin(redirected
                ? tracer.next(request.trace(), SpanName.ADMISSION, request.run(), request.url())
                : tracer.first(SpanName.ADMISSION, request.run(), request.url(), request.trace())).context();
    }

    /** The place of a response that was read, which its item gets. */
    TraceContext answered(Answered answered) {
        Span span = analyses.getOrDefault(answered.id(), Span.NONE);
        span.with(Span.OUTCOME, answered.outcome().name());
        if (answered.outcome() == OutcomeKind.FAILURE) {
            span.failed(answered.detail());
        }
        return span.context();
    }

    private Span begin(Span span) {
        if (span != Span.NONE) {
            begun.add(span);
        }
        return span;
    }

    /** All of it is committed. */
    void end() {
        begun.forEach(Span::end);
    }
}
