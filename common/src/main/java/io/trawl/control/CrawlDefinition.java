package io.trawl.control;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.ledger.DepthMode;
import io.trawl.model.FetchStyle;
import io.trawl.model.Seed;
import io.trawl.model.Webhook;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a crawl is to do: the body of {@code PUT /api/crawls/{id}}. Absent fields have their default.
 *
 * @param seeds where it begins; their {@code crawl} field is not needed
 * @param domains the accepted primary domains; empty: those of the seeds
 * @param depth links away from a seed that are still fetched; -1 for no limit; default {@value #DEFAULT_DEPTH}
 * @param maxPages stop after so many answered pages; empty: no limit
 * @param maxBytes stop after so many bytes of handled bodies; empty: no limit
 * @param maxTime stop after a run was started for so long, pauses between stop and start left out; empty: no limit
 * @param schedule when a fresh run begins, unless one is going; empty: only when it is asked for
 * @param delay the least time from the end of one response to the next request of a host; {@code 0ms}: no pause and no adaptive multiple; default 1s
 * @param userAgent the {@code User-Agent} header; its {@link io.trawl.model.ProductToken} is looked up in robots.txt
 * @param priority of seeds that name none; default {@value #DEFAULT_PRIORITY}
 * @param text whether items hold the readable text; default true
 * @param failFast whether the first item processor that fails ends the chain for that item; default true
 * @param profile how fetches present themselves; default plain
 * @param proxy {@code http://host:port} that all fetches go through, robots.txt included; a request may name another
 * @param webhooks who is told of the crawl's events, beside the receiver of the deployment
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CrawlDefinition(@JsonProperty("seeds") List<Seed> seeds, @JsonProperty("domains") List<String> domains,
        @JsonProperty("depth") Integer depth,
        @JsonProperty("maxPages") Optional<Long> maxPages,
        @JsonProperty("maxBytes") Optional<Long> maxBytes,
        @JsonProperty("maxTime") Optional<Duration> maxTime,
        @JsonProperty("schedule") Optional<Schedule> schedule,
        @JsonProperty("delay") Duration delay,
        @JsonProperty("userAgent") String userAgent,
        @JsonProperty("priority") Integer priority, @JsonProperty("text") Boolean text,
        @JsonProperty("failFast") Boolean failFast, @JsonProperty("profile") FetchStyle profile,
        @JsonProperty("proxy") Optional<String> proxy, @JsonProperty("webhooks") List<Webhook> webhooks) {
    /** Links away from a seed that are fetched unless said otherwise. */
    public static final int DEFAULT_DEPTH = 3;
    /** The level of requests whose seed names none. */
    public static final int DEFAULT_PRIORITY = 1;
    /** The pause between two requests of a host unless said otherwise. */
    public static final Duration DEFAULT_DELAY = Duration.ofSeconds(1);
    /** What the crawler calls itself unless said otherwise. */
    public static final String DEFAULT_USER_AGENT = "Trawl/0.1";

    /** Fills in the defaults. */
    public CrawlDefinition {
        seeds = seeds == null ? List.of() : List.copyOf(seeds);
        domains = domains == null ? List.of() : List.copyOf(domains);
        depth = depth == null ? DEFAULT_DEPTH : depth;
        delay = delay == null ? DEFAULT_DELAY : delay;
        userAgent = userAgent == null ? DEFAULT_USER_AGENT : userAgent;
        priority = priority == null ? DEFAULT_PRIORITY : priority;
        text = text == null || text;
        failFast = failFast == null || failFast;
        profile = profile == null ? FetchStyle.PLAIN : profile;
        webhooks = webhooks == null ? List.of() : List.copyOf(webhooks);
    }

    /** A crawl from these seeds; everything else has its default. */
    public static CrawlDefinition of(List<Seed> seeds) {
        return new CrawlDefinition(seeds, List.of(), DEFAULT_DEPTH, Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), DEFAULT_DELAY, DEFAULT_USER_AGENT, DEFAULT_PRIORITY, true, true, FetchStyle.PLAIN,
                Optional.empty(), List.of());
    }

    /** The same with other accepted domains. */
    public CrawlDefinition withDomains(List<String> other) {
        return new CrawlDefinition(seeds, other, depth, maxPages, maxBytes, maxTime, schedule, delay, userAgent, priority, text,
                failFast, profile, proxy, webhooks);
    }

    /** The same with another depth; -1 for no limit. */
    public CrawlDefinition withDepth(int other) {
        return new CrawlDefinition(seeds, domains, other, maxPages, maxBytes, maxTime, schedule, delay, userAgent, priority, text,
                failFast, profile, proxy, webhooks);
    }

    /** The same with a limit of answered pages. */
    public CrawlDefinition withMaxPages(long most) {
        return new CrawlDefinition(seeds, domains, depth, Optional.of(most), maxBytes, maxTime, schedule, delay, userAgent,
                priority, text, failFast, profile, proxy, webhooks);
    }

    /** The same with another delay. */
    public CrawlDefinition withDelay(Duration other) {
        return new CrawlDefinition(seeds, domains, depth, maxPages, maxBytes, maxTime, schedule, other, userAgent, priority, text,
                failFast, profile, proxy, webhooks);
    }

    /** The same with another priority of seeds that name none. */
    public CrawlDefinition withPriority(int other) {
        return new CrawlDefinition(seeds, domains, depth, maxPages, maxBytes, maxTime, schedule, delay, userAgent, other, text,
                failFast, profile, proxy, webhooks);
    }

    /** The same without its seeds, of which there may be very many. */
    public CrawlDefinition withoutSeeds() {
        return new CrawlDefinition(List.of(), domains, depth, maxPages, maxBytes, maxTime, schedule, delay, userAgent, priority,
                text, failFast, profile, proxy, webhooks);
    }

    /** The same with other receivers of events. */
    public CrawlDefinition withWebhooks(List<Webhook> others) {
        return new CrawlDefinition(seeds, domains, depth, maxPages, maxBytes, maxTime, schedule, delay, userAgent, priority,
                text, failFast, profile, proxy, others);
    }

    /** The same for people: without secrets. */
    public CrawlDefinition hidden() {
        return withWebhooks(webhooks.stream().map(Webhook::hidden).toList());
    }

    /** The same, with the secrets that are known where a receiver is named without one. */
    public CrawlDefinition withSecretsOf(CrawlDefinition known) {
        return withWebhooks(webhooks.stream()
                .map(w -> w.secret().isPresent()
                        ? w
                        : known.webhooks.stream().filter(k -> k.url().equals(w.url())).findFirst().orElse(w))
                .toList());
    }

    /** The same options for a crawl that has seeds, domains and depth already: they tell which crawl it is. */
    public CrawlDefinition identifiedBy(CrawlDefinition known) {
        return new CrawlDefinition(known.seeds, known.domains, known.depth, maxPages, maxBytes, maxTime, schedule, delay,
                userAgent, priority, text, failFast, profile, proxy, webhooks);
    }

    /** The depth limit as a number to compare with: {@link Integer#MAX_VALUE} if there is none. */
    @JsonIgnore
    public int depthLimit() {
        return depth < 0 ? Integer.MAX_VALUE : depth;
    }

    /** Whether depths are compared in the ledger. */
    @JsonIgnore
    public DepthMode depthMode() {
        return DepthMode.forLimit(depthLimit());
    }
}
