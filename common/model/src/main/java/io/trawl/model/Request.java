package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.Request.RequestId;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One request to fetch a URL, as in a request topic.
 *
 * @param id random, one per emission
 * @param run the run of the crawl
 * @param url normalised, absolute, http or https
 * @param canonical the canonical URL under the identity rules of the crawl, if it is another one: what the ledger knows
 * instead of {@code url}
 * @param host the server; the record's key is its politeness key, by default itself
 * @param depth 0 for a seed, one more than the page for a link, the same as the redirecting URL for its target
 * @param priority 0 to levels - 1, the larger first
 * @param redirects how many redirects led here in a row
 * @param seed whether this is a seed or the target of redirects that began at one
 * @param domains the version of the accepted domains that admitted it: a later "no" must come from at least that
 * version
 * @param definition the version of the crawl's definition that admitted it: a later refusal must come from at least
 * that version
 * @param parent the URL of the page that linked to this one; empty for a seed
 * @param options options of the fetch
 * @param chain the redirects that led here in a row, the oldest first: the last {@value #LONGEST_CHAIN} of them
 * @param visit what is known of the page from the run before; empty if this run has found it
 * @param trace its trace, which is in the headers of its record and not in its JSON; in an analyzer and a coordinator,
 * before the record is created, the trace of the page or seed that named it
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Request(RequestId id, CrawlRun run, String url, Optional<String> canonical, HostKey host, int depth,
        int priority, int redirects, boolean seed, long domains,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long definition, Optional<String> parent, FetchOptions options,
        List<RedirectHop> chain, Optional<Visit> visit, @JsonIgnore TraceContext trace) implements RequestBuilder.With {
    /** The largest number of redirects that a request lists. */
    public static final int LONGEST_CHAIN = 10;
    /** Links at greater depths are not followed, even in a crawl without a limit. */
    public static final int LARGEST_DEPTH = 1_000_000_000;
    /** The largest number of priorities of a deployment. */
    public static final int MOST_LEVELS = 10;
    /** The largest number of characters of a URL. */
    public static final int LONGEST_URL = 65_536;
    private static final int MOST_REDIRECTS = 1_000_000;

    /**
     * One redirect.
     *
     * @param url the normalised URL that was redirected
     * @param status the HTTP status of the redirect, or of the page that led elsewhere by itself
     * @param method of the request; empty: GET
     * @param cookies those that the crawl keeps for the host; empty if it keeps none
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record RedirectHop(String url, int status, Optional<String> method, Optional<Outcome.CookieStates> cookies) {
        /** A redirect of a GET, at a host for which no cookies are kept. */
        public RedirectHop(String url, int status) {
            this(url, status, Optional.empty(), Optional.empty());
        }

        /** @throws InvalidValueException if the URL is absent, or a field is out of its range */
        public RedirectHop {
            FieldRules.present("url", url);
            FieldRules.range("length of url", url.length(), 1, LONGEST_URL);
            FieldRules.range("status", status, 100, 999);
        }
    }

    /**
     * Absent {@code options} are {@link FetchOptions#NONE}, an absent {@code chain} is empty, an absent {@code trace}
     * {@link TraceContext#NONE}.
     *
     * @throws InvalidValueException if another field is absent or out of its range
     */
    public Request {
        FieldRules.present("id", id);
        FieldRules.present("run", run);
        FieldRules.present("url", url);
        FieldRules.present("host", host);
        FieldRules.range("depth", depth, 0, LARGEST_DEPTH);
        FieldRules.range("priority", priority, 0, MOST_LEVELS - 1);
        FieldRules.range("redirects", redirects, 0, MOST_REDIRECTS);
        FieldRules.count("domains", domains);
        FieldRules.count("definition", definition);
        FieldRules.range("length of url", url.length(), 1, LONGEST_URL);
        FieldRules.range("length of host", host.value().length(), 1, LONGEST_URL);
        canonical.ifPresent(of -> FieldRules.range("length of canonical", of.length(), 1, LONGEST_URL));
        options = options == null ? FetchOptions.NONE : options;
        chain = chain == null ? List.of() : List.copyOf(chain);
        visit = visit == null ? Optional.empty() : visit;
        FieldRules.range("length of chain", chain.size(), 0, LONGEST_CHAIN);
        trace = trace == null ? TraceContext.NONE : trace;
    }

    /** A request without redirects and without a trace, which no definition has admitted. */
    public Request(RequestId id, CrawlRun run, String url, HostKey host, int depth, int priority, int redirects,
            boolean seed, long domains, Optional<String> parent, FetchOptions options) {
        this(id, run, url, Optional.empty(), host, depth, priority, redirects, seed, domains, 0, parent, options,
                List.of(), Optional.empty(), TraceContext.NONE);
    }

    /** A copy for another URL of the same server: what a fetcher asks for besides the page. */
    public Request forUrl(String other) {
        return with(copy -> copy.url(other).canonical(Optional.empty()).visit(Optional.empty()));
    }

    /**
     * A copy without redirects and options but those of its identity: used in the answer if they do not fit into a
     * record.
     */
    public Request withoutOptions() {
        return with(copy -> copy.options(options.ofIdentity()).chain(List.of()));
    }

    /**
     * The same request for the target of a redirect. It keeps the id, so it is answered once.
     *
     * @param target in normal form; it has no canonical URL yet
     * @param server of the target
     */
    public Request movedTo(String target, HostKey server, int status) {
        return with(copy -> copy.url(target).canonical(Optional.empty()).visit(Optional.empty()).host(server)
                .redirects(redirects + 1)
                .options((server.equals(host) ? options : options.forAnotherServer()).redirected(status))
                .chain(chainTo(hop(status, Optional.empty()))));
    }

    /** The redirect of this request. */
    public RedirectHop hop(int status, Optional<Outcome.CookieStates> cookies) {
        return new RedirectHop(url, status, options.method(), cookies);
    }

    /** The redirects that lead to the target of a redirect of this one: of a long chain the last ones. */
    public List<RedirectHop> chainTo(RedirectHop last) {
        List<RedirectHop> longer = Stream.concat(chain.stream(), Stream.of(last)).toList();
        return longer.subList(Math.max(0, longer.size() - LONGEST_CHAIN), longer.size());
    }

    /** What the ledger and the ids of items know it by: see {@link RequestIdentity}. */
    public String identity() {
        return RequestIdentity.of(canonical.orElse(url), options);
    }

    /** What its items and errors are known by: the identity of its URL, also if that is asked again. */
    public String pageIdentity() {
        return RequestIdentity.of(canonical.orElse(url), options.withAgain(false));
    }

    /** What a request would be known by that asks for this URL again. */
    public String identityAgain() {
        return RequestIdentity.of(canonical.orElse(url), options.withAgain(true));
    }

    /**
     * The identity of a request within its run: method, canonical URL and body. That of a plain GET is its URL in
     * normal form; any other one is method, URL and the SHA-256 of the body, with a space between them. That of a
     * source or a requisite (not {@link FetchOptions#page()}) has the name of its parser and a space before it. That of
     * a URL that is asked again ({@link FetchOptions#again()}) has the word {@code again} and a space before it, that
     * of a {@link FetchOptions#version() version} has a space and the version behind it. A URL in normal form has no
     * space, so no two requests have the same identity unless SHA-256 collides.
     */
    public static final class RequestIdentity {
        private static final String AGAIN = "again ";

        private RequestIdentity() {}

        /**
         * The identity of a request with these options.
         *
         * @param url canonical, or in normal form
         */
        public static String of(String url, FetchOptions options) {
            String identity = of(url, options.method(), options.body(), options.parser())
                    + options.version().map(version -> " " + version).orElse("");
            return options.again() ? AGAIN + identity : identity;
        }

        /**
         * The identity of a request.
         *
         * @param url canonical, or in normal form
         * @param method empty: GET
         * @param body empty: none
         * @param parser the one that the request names; only those of sources and requisites count
         */
        public static String of(String url, Optional<String> method, Optional<String> body, Optional<String> parser) {
            String identity = of(url, method, body);
            return parser.filter(FetchOptions::besidePages).map(name -> name + " " + identity).orElse(identity);
        }

        private static String of(String url, Optional<String> method, Optional<String> body) {
            String name = method.orElse(FetchOptions.GET);
            String content = body.orElse("");
            return name.equals(FetchOptions.GET) && content.isEmpty()
                    ? url
                    : name + " " + url + " " + Sha256.hex(content);
        }
    }

    /**
     * The random 64-bit id of one emission of a request. It survives forwarding and re-appending: the crawl is finished
     * when every emitted id has been answered, so two records with the same id are the same request. Written as 16
     * hexadecimal digits, since JSON numbers lose precision.
     */
    public record RequestId(long value) {
        /**
         * Reads what {@link #toString()} wrote.
         *
         * @throws InvalidValueException if the text is not 16 hexadecimal digits
         */
        @JsonCreator
        public static RequestId parse(String text) {
            try {
                if (text.length() == 16) {
                    return new RequestId(HexFormat.fromHexDigitsToLong(text));
                }
            } catch (IllegalArgumentException e) {
                // falls through to the one error below
            }
            throw new InvalidValueException("id", text, "16 hexadecimal digits");
        }

        @Override
        @JsonValue
        public String toString() {
            return HexFormat.of().toHexDigits(value);
        }
    }
}
