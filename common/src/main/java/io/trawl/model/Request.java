package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Optional;

/**
 * One wish to fetch a URL, as it stands in a request topic.
 *
 * @param id random, one per emission
 * @param run the run of the crawl
 * @param url normalised, absolute, http or https
 * @param host the server; the record's key is what it shares its pauses with, by default itself
 * @param depth 0 for a seed, one more than the page for a link, the same as the redirecting URL for its target
 * @param priority 0 to levels - 1, the larger first
 * @param redirects how many redirects led here in a row
 * @param seed whether this is a seed or the target of redirects that began at one
 * @param domains the version of the accepted domains that admitted it: a later "no" must ask at least that version
 * @param parent the URL of the page that named this one; empty for a seed
 * @param options what the fetch must do beyond getting the URL
 * @param trace the trace that it belongs to, which stands in the headers of its record and not in its JSON; in an analyzer and a coordinator, before the
 *        record is made, that of what named it
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Request(RequestId id, CrawlRun run, String url, HostKey host, int depth, int priority, int redirects, boolean seed,
        long domains,
        Optional<String> parent, FetchOptions options, @JsonIgnore TraceContext trace) implements Data {
    /** An absent {@code options} (nothing special) is {@link FetchOptions#NONE}, an absent {@code trace} {@link TraceContext#NONE}. */
    public Request {
        options = options == null ? FetchOptions.NONE : options;
        trace = trace == null ? TraceContext.NONE : trace;
    }

    /** A request that belongs to no trace. */
    public Request(RequestId id, CrawlRun run, String url, HostKey host, int depth, int priority, int redirects, boolean seed,
            long domains, Optional<String> parent, FetchOptions options) {
        this(id, run, url, host, depth, priority, redirects, seed, domains, parent, options, TraceContext.NONE);
    }

    /** The same request in this trace. */
    public Request withTrace(TraceContext context) {
        return context.equals(trace)
                ? this
                : new Request(id, run, url, host, depth, priority, redirects, seed, domains, parent, options, context);
    }

    /** The same request at a smaller depth: the frontier lowers it to what the ledger knows. */
    public Request atDepth(int smaller) {
        return new Request(id, run, url, host, smaller, priority, redirects, seed, domains, parent, options, trace);
    }

    /** The same request with nothing special: what is left in the answer where the options do not fit into a record. */
    public Request withoutOptions() {
        return new Request(id, run, url, host, depth, priority, redirects, seed, domains, parent, FetchOptions.NONE, trace);
    }
}
