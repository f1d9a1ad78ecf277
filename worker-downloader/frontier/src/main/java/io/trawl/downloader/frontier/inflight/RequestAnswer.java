package io.trawl.downloader.frontier.inflight;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.model.TraceContext;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The answer to one request, before it becomes a response.
 *
 * @param request with the depth at which it is answered
 * @param fetched the last fetch; empty if there was none
 * @param attempts the number of fetches
 * @param factDepth the depth, as the ledger compares it, for the fact of this response; empty if it states no fact (a
 * duplicate)
 */
public record RequestAnswer(Request request, Outcome outcome, Optional<FetchResult> fetched, int attempts,
        OptionalInt factDepth) {
    /** An answer without a fetch. */
    public static RequestAnswer without(Request request, Outcome outcome, int attempts, OptionalInt factDepth) {
        return new RequestAnswer(request, outcome, Optional.empty(), attempts, factDepth);
    }

    /** The same answer in this trace. */
    public RequestAnswer withTrace(TraceContext trace) {
        return new RequestAnswer(request.withTrace(trace), outcome, fetched, attempts, factDepth);
    }

    /**
     * The response for this answer.
     *
     * @param now the time of the response if there was no fetch
     */
    public Response response(MID mid, Instant now) {
        Optional<Response> recorded = fetched.flatMap(FetchResult::recorded);
        return new Response(recorded
                .map(then -> request.with(copy -> copy.parent(then.request().parent()).chain(then.request().chain())))
                .orElse(request), outcome, recorded.map(Response::mid).orElse(mid),
                fetched.map(FetchResult::at).orElse(now), fetched.map(FetchResult::took).orElse(Duration.ZERO),
                recorded.map(Response::attempts).orElse(attempts), fetched.map(FetchResult::headers).orElse(Map.of()),
                fetched.map(FetchResult::body).orElse(Body.EMPTY), fetched.flatMap(FetchResult::exchange),
                fetched.flatMap(FetchResult::render), fetched.flatMap(FetchResult::robots));
    }

    /**
     * The next smaller version of an answer that does not fit into a record: first without what an archive holds, then
     * without the response, then without the options of the request; empty if there is none.
     */
    public Optional<RequestAnswer> smaller() {
        if (fetched.flatMap(FetchResult::exchange).isPresent()) {
            return Optional.of(new RequestAnswer(request, outcome, fetched.map(FetchResult::withoutArchived), attempts,
                    factDepth));
        }
        if (fetched.isPresent()) {
            return Optional.of(tooLarge());
        }
        Request bare = request.withoutOptions();
        return request.options().equals(bare.options())
                ? Optional.empty()
                : Optional.of(without(bare, outcome, attempts, factDepth));
    }

    /** The failure that it is if its response does not fit into a record. */
    public RequestAnswer tooLarge() {
        return without(request, new Outcome.Failure(FailureReason.TOO_LARGE,
                "a response of " + bytes() + " bytes does not fit into a record"), attempts, factDepth);
    }

    /** The number of body bytes. */
    public int bytes() {
        return fetched.map(f -> f.body().length()).orElse(0);
    }

    /** The bytes of memory that its body takes. */
    public int held() {
        return fetched.map(f -> f.body().held().length).orElse(0);
    }
}
