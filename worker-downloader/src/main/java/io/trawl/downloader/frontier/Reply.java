package io.trawl.downloader.frontier;

import io.trawl.downloader.fetch.Fetched;
import io.trawl.model.Body;
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
 * @param request at the depth at which it is answered
 * @param fetched the last fetch; empty if there was none
 * @param attempts how many fetches there were
 * @param factDepth the depth, as the ledger compares it, at which the fact of this response is to be learnt; empty if it states nothing (a duplicate)
 */
public record Reply(Request request, Outcome outcome, Optional<Fetched> fetched, int attempts, OptionalInt factDepth) {
    static Reply without(Request request, Outcome outcome, int attempts, OptionalInt factDepth) {
        return new Reply(request, outcome, Optional.empty(), attempts, factDepth);
    }

    /** The same answer in this trace. */
    public Reply withTrace(TraceContext trace) {
        return new Reply(request.withTrace(trace), outcome, fetched, attempts, factDepth);
    }

    /** The response that says this. @param now stands for the time of the fetch if there was none */
    public Response response(MID mid, Instant now) {
        return new Response(request, outcome, mid, fetched.map(Fetched::at).orElse(now),
                fetched.map(Fetched::took).orElse(Duration.ZERO), attempts, fetched.map(Fetched::headers).orElse(Map.of()),
                fetched.map(Fetched::body).orElse(Body.EMPTY));
    }

    /** The number of body bytes. */
    public int bytes() {
        return fetched.map(f -> f.body().length()).orElse(0);
    }
}
