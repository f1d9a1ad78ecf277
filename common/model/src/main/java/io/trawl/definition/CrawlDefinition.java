package io.trawl.definition;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.trawl.field.Form;
import io.trawl.field.Range;
import io.trawl.field.Size;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.extract.rule.ItemRule;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.definition.url.CookieScope;
import io.trawl.definition.url.LoginForm;
import io.trawl.definition.url.UrlHeaders;
import io.trawl.definition.url.DiscoverRules;
import io.trawl.definition.url.IdentityRules;
import io.trawl.ledger.DepthMode;
import io.trawl.model.FetchOptions;
import io.trawl.model.Request;
import io.trawl.model.Seed;
import io.trawl.pattern.UrlParts;
import io.trawl.pattern.UrlPattern;
import io.trawl.scope.DepthRule;
import io.trawl.scope.LanguageRules;
import io.trawl.scope.MediaTypeRules;
import io.trawl.scope.OtherLanguages;
import io.trawl.scope.PagesRule;
import io.trawl.scope.PriorityRule;
import io.trawl.scope.RequisiteRules;
import io.trawl.scope.ScopeRules;
import io.trawl.process.ProcessorStep;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The definition of a crawl: the body of {@code PUT /api/v1/crawls/{id}}, the value on {@code control}, part of
 * summaries. Absent groups and fields have their defaults. The builders and the {@code with} methods are generated. A
 * new option needs a component here, with its sentence, its rule beside it and its default: {@code openapi.yaml} and
 * docs/schema are made from them, and RecordRules checks them.
 *
 * @param seeds the start URLs; their {@code crawl} field may be left out
 * @param scope which URLs belong to the crawl
 * @param discover where the crawl finds URLs
 * @param identity which URLs are names of one page
 * @param limits how far the crawl goes
 * @param fetch how pages are fetched; a text is the name of the fetcher
 * @param extract what is extracted from pages
 * @param process how item processors run
 * @param sinks where items are stored; by default in files of JSON lines
 * @param priority the priority of seeds without one
 * @param priorities levels of requests by their URL and depth; the first rule that holds counts, before that of the
 * page or the crawl
 * @param weight the part of the slots, and of the turns of a host, in proportion to the weights of other crawls with
 * requests of the same priority
 * @param keep how many finished runs keep their files: when one has finished, older ones are deleted
 * @param keepFacts how long Redis keeps the facts of a run that has finished or reached a limit; from then on the run
 * cannot go on
 * @param schedule when a new run starts, unless one is in progress; by default only on request
 * @param refresh how its pages are visited again; by default a run keeps nothing for that
 * @param webhooks receivers of the crawl's events, in addition to that of the deployment
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record CrawlDefinition(List<Seed> seeds, Scope scope, DiscoverRules discover, IdentityRules identity,
        CrawlLimits limits, FetchRules fetch, ExtractRules extract, ProcessRules process,
        @Size(max = 10) List<SinkDefinition> sinks, Integer priority, @Size(max = 1000) List<PriorityRule> priorities,
        @Range(min = "1", max = "100") Integer weight, @Range(min = "1", max = "1000") Integer keep,
        @Range(min = "0s", max = "3650d") Duration keepFacts, Optional<Schedule> schedule,
        Optional<RefreshRules> refresh, @Size(max = 10) List<Webhook> webhooks) implements CrawlDefinitionBuilder.With {
    /** The level of requests whose seed has none. */
    public static final int DEFAULT_PRIORITY = 1;
    /** The weight of a crawl that names none. */
    public static final int DEFAULT_WEIGHT = 1;
    /** The finished runs that stay: the last one, and the one before, which readers may still have open. */
    public static final int DEFAULT_KEEP = 2;
    /** A week: long enough to look at a run, and to retry or to continue it. */
    public static final Duration DEFAULT_KEEP_FACTS = Duration.ofDays(7);

    /** Fills in the defaults. */
    public CrawlDefinition {
        seeds = seeds == null ? List.of() : List.copyOf(seeds);
        scope = scope == null ? Scope.DEFAULT : scope;
        discover = discover == null ? DiscoverRules.DEFAULT : discover;
        identity = identity == null ? IdentityRules.DEFAULT : identity;
        limits = limits == null ? CrawlLimits.DEFAULT : limits;
        fetch = fetch == null ? FetchRules.DEFAULT : fetch;
        extract = extract == null ? ExtractRules.DEFAULT : extract;
        process = process == null ? ProcessRules.DEFAULT : process;
        sinks = sinks == null ? List.of() : List.copyOf(sinks);
        priority = priority == null ? DEFAULT_PRIORITY : priority;
        priorities = priorities == null ? List.of() : List.copyOf(priorities);
        weight = weight == null ? DEFAULT_WEIGHT : weight;
        keep = keep == null ? DEFAULT_KEEP : keep;
        keepFacts = keepFacts == null ? DEFAULT_KEEP_FACTS : keepFacts;
        refresh = refresh == null ? Optional.empty() : refresh;
        webhooks = webhooks == null ? List.of() : List.copyOf(webhooks);
    }

    /** How its pages are visited again; the default if it does not say. */
    public RefreshRules refreshRules() {
        return refresh.orElse(RefreshRules.DEFAULT);
    }

    /** Whether a crawl would find the same pages by both, of a site that stays as it is. */
    public boolean reachesLike(CrawlDefinition other) {
        return seeds.equals(other.seeds) && scope.equals(other.scope) && discover.equals(other.discover)
                && identity.equals(other.identity) && limits.equals(other.limits);
    }

    /** Whether what it fetches is archived. */
    public boolean archives() {
        return sinks.stream().anyMatch(SinkDefinition::isArchive);
    }

    /**
     * Which URLs belong to a crawl.
     *
     * @param domains the accepted primary domains; by default those of the seeds of the definition, and with the word
     * {@code seeds} of each seed that is admitted, too
     * @param include the URLs of these domains that belong to it, besides the seeds; by default all
     * @param exclude the URLs that do not belong to it, seeds included; it wins over {@code include}
     * @param maxDepth depth limits of patterns, besides that of the crawl; the first that matches counts
     * @param maxPages budgets of patterns in a run, on all hosts together; the first that matches counts
     * @param mediaTypes the media types that are stored and analysed, judged by the header {@code Content-Type}; by
     * default all
     * @param skipEndings the endings of files whose links are not followed, without dots; by default those of images,
     * audio, video, fonts, archives, programs, scripts and style sheets
     * @param requisites from where requisites come, and how many
     * @param languages the languages of the pages that are stored, judged by their text; by default all
     * @param otherLanguages whether links of pages in other languages are followed; by default they are
     */
    @RecordBuilder
    @RecordBuilder.Options(prefixEnclosingClassNames = false)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record Scope(@JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) List<String> domains,
            @Size(max = 1000) List<UrlPattern> include, @Size(max = 1000) List<UrlPattern> exclude,
            @Size(max = 1000) List<DepthRule> maxDepth, @Size(max = 1000) List<PagesRule> maxPages,
            Optional<MediaTypeRules> mediaTypes,
            @Size(max = 1000) @Form(regexp = "[A-Za-z0-9_-]{1,20}", rule = "the ending of a name without its dot, such as zip: 1 to 20 letters, digits, - or _") Optional<List<String>> skipEndings,
            Optional<RequisiteRules> requisites,
            @Size(max = 100) @Form(regexp = LanguageRules.FORM, rule = LanguageRules.RULE) List<String> languages,
            Optional<OtherLanguages> otherLanguages) implements ScopeBuilder.With {
        /** In the place of a domain: those of all seeds. */
        public static final String SEEDS = "seeds";
        /** The domains of the seeds. */
        public static final Scope DEFAULT = ScopeBuilder.builder().build();

        /** Fills in the defaults. */
        public Scope {
            domains = domains == null ? List.of() : List.copyOf(domains);
            include = include == null ? List.of() : List.copyOf(include);
            exclude = exclude == null ? List.of() : List.copyOf(exclude);
            maxDepth = maxDepth == null ? List.of() : List.copyOf(maxDepth);
            maxPages = maxPages == null ? List.of() : List.copyOf(maxPages);
            skipEndings = skipEndings == null ? Optional.empty() : skipEndings.map(List::copyOf);
            languages = languages == null ? List.of() : List.copyOf(languages);
        }

        /** Which pages are stored by the language of their text. */
        public LanguageRules languageRules() {
            return new LanguageRules(languages, otherLanguages.orElse(OtherLanguages.FOLLOW));
        }

        /** Whether the domain of each seed is accepted when it is admitted. */
        public boolean ofSeeds() {
            return domains.contains(SEEDS);
        }

        /** From where requisites come, and how many. */
        public RequisiteRules requisiteRules() {
            return requisites.orElse(RequisiteRules.ALL);
        }

        /** The media types that are stored and analysed. */
        public MediaTypeRules wantedTypes() {
            return mediaTypes.orElse(MediaTypeRules.ALL);
        }
    }

    /**
     * The limits of a crawl.
     *
     * @param depth links away from a seed that are still fetched; -1 for no limit
     * @param maxPages the run stops after this many answered pages; by default no limit
     * @param maxBytes the run stops after this many bytes of bodies, and those in flight then; by default no limit
     * @param maxTime the run stops after this time in state started, excluding the time between stop and start; by
     * default no limit
     * @param host the budget of each host in a run, beyond which requests are refused; by default no limit
     */
    @RecordBuilder
    @RecordBuilder.Options(prefixEnclosingClassNames = false)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record CrawlLimits(@Range(min = "-1", max = "65535", lowest = "no limit") Integer depth,
            @Range(min = "1") Optional<Long> maxPages, @Range(min = "1") Optional<Long> maxBytes,
            @Range(min = "1s") Optional<Duration> maxTime,
            Optional<HostLimits> host) implements CrawlLimitsBuilder.With {
        /** The default depth limit. */
        public static final int DEFAULT_DEPTH = 3;
        /** The default depth and no other limit. */
        public static final CrawlLimits DEFAULT = CrawlLimitsBuilder.builder().build();

        /** Fills in the defaults. */
        public CrawlLimits {
            depth = depth == null ? DEFAULT_DEPTH : depth;
        }

        /**
         * Whether the number or the size of the pages is limited, so that each fetch must be counted before it begins.
         */
        public boolean countsFetches() {
            return maxPages.isPresent() || maxBytes.isPresent();
        }

        /** The depth limit for comparisons: {@link Request#LARGEST_DEPTH} if there is none. */
        public int depthLimit() {
            return depth < 0 ? Request.LARGEST_DEPTH : Math.min(depth, Request.LARGEST_DEPTH);
        }

        /** Whether depths are compared in the ledger. */
        public DepthMode depthMode() {
            return DepthMode.forLimit(depthLimit());
        }
    }

    /**
     * The budget of a host in one run. Requests beyond it are refused at their turn, without a fetch.
     *
     * @param maxUrls the URLs that are fetched; by default no limit
     * @param maxErrors the URLs whose fetch failed for good, HTTP errors not included; by default no limit
     * @param maxTime the time since its first fetch; by default no limit
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record HostLimits(@Range(min = "1") Optional<Long> maxUrls, @Range(min = "1") Optional<Long> maxErrors,
            @Range(min = "1s") Optional<Duration> maxTime) {}

    /**
     * How pages are fetched.
     *
     * @param delay the minimum time from the end of one response to the next request of a host; {@code 0ms} for no
     * pause
     * @param userAgent the {@code User-Agent} header, whose product token is looked up in robots.txt
     * @param profile the style of request headers: those of a crawler, or those of a browser
     * @param proxy the proxy for all fetches, also of robots.txt, {@code http://host:port}; a request may name another
     * @param contact an e-mail address or http(s) URL of the operator of the crawl, which is appended to the user agent
     * @param ignoreRobots hosts of your own whose robots.txt is not read, without ports
     * @param headers extra headers of all requests for pages, to every host of the crawl; a request may name others
     * @param cookie the {@code Cookie} header of all requests for pages; a request may name another
     * @param responseTimeout the longest silence of a server, if that is shorter than the downloader's
     * @param totalTimeout the longest time for a whole fetch, if that is shorter than the downloader's
     * @param fetcher the name of the fetcher; pages fail with {@code OTHER} at a downloader that has none of that name
     * @param rules headers and methods of the requests for some URLs; of several that match, the later one counts
     * @param auth who the crawler is for some hosts; a header {@code Authorization} of a request takes its place
     * @param proxies further proxies: each host has one of these and {@code proxy}, always the same while that one
     * works
     * @param cookies which requests get the cookies that a host sets; by default none
     * @param login the forms with which the crawl logs in before its first page of a server; at most one for each
     * @param replay the folder of WARC files, below {@code TRAWL_DOWNLOADER_ARCHIVES}, which answers all requests:
     * nothing is sent
     */
    @RecordBuilder
    @RecordBuilder.Options(prefixEnclosingClassNames = false)
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record FetchRules(@Range(min = "0ms", max = "1h") Duration delay,
            @Form(regexp = "(?=.*[!-~])[\t -~]+", rule = "not empty, of visible ASCII characters and spaces") String userAgent,
            FetchStyle profile, Optional<String> proxy,
            @Form(regexp = "(?=.{1,200}$)(?:[!-'*-;=?A-~]+@[!-'*-;=?A-~]+|https?://[!-'*-;=?@A-~]+)", rule = "an e-mail address or an http(s) URL of at most 200 visible ASCII characters, without brackets") Optional<String> contact,
            @Size(max = 100) List<String> ignoreRobots, Map<String, String> headers, Optional<String> cookie,
            @Range(min = "100ms", max = "1h") Optional<Duration> responseTimeout,
            @Range(min = "100ms", max = "1h") Optional<Duration> totalTimeout,
            @Form(regexp = RequestOptionRules.FETCHER_FORM, rule = RequestOptionRules.FETCHER) Optional<String> fetcher,
            @Size(max = 100) List<UrlHeaders> rules, @Size(max = 100) List<HostCredentials> auth,
            @Size(max = 100) List<String> proxies, Optional<CookieScope> cookies,
            @Size(max = 100) List<LoginForm> login,
            @Form(regexp = "[A-Za-z0-9_][A-Za-z0-9._@-]{0,99}(/[A-Za-z0-9_][A-Za-z0-9._@-]{0,99}){0,9}", rule = "a folder below TRAWL_DOWNLOADER_ARCHIVES, such as docs-1") Optional<String> replay)
            implements
                FetchRulesBuilder.With {
        /** The default pause between two requests to a host. */
        public static final Duration DEFAULT_DELAY = Duration.ofSeconds(1);
        /** The default {@code User-Agent}. */
        public static final String DEFAULT_USER_AGENT = "Trawl/0.1";
        /** Plain fetches without a proxy. */
        public static final FetchRules DEFAULT = FetchRulesBuilder.builder().build();

        /** Fills in the defaults. */
        public FetchRules {
            delay = delay == null ? DEFAULT_DELAY : delay;
            userAgent = userAgent == null ? DEFAULT_USER_AGENT : userAgent;
            profile = profile == null ? FetchStyle.PLAIN : profile;
            ignoreRobots = ignoreRobots == null ? List.of() : List.copyOf(ignoreRobots);
            headers = headers == null ? Map.of() : Map.copyOf(headers);
            rules = rules == null ? List.of() : List.copyOf(rules);
            auth = auth == null ? List.of() : List.copyOf(auth);
            proxies = proxies == null ? List.of() : List.copyOf(proxies);
            login = login == null ? List.of() : List.copyOf(login);
        }

        /**
         * The options of a request for a URL: one that names no method, and is for a page, has that of the last rule
         * for the URL that has one. A function of this definition and its arguments alone, since the method belongs to
         * the identity of the request.
         */
        public FetchOptions sent(FetchOptions options, String url) {
            return options.method().isPresent() || !options.page()
                    ? options
                    : method(url).map(options::by).orElse(options);
        }

        /** The same of a seed, whose method may also be GET. */
        public Seed sent(Seed seed, String url) {
            return seed.method().isPresent() || !seed.options().page()
                    ? seed
                    : method(url).map(method -> seed.withMethod(Optional.of(method))).orElse(seed);
        }

        private Optional<String> method(String url) {
            if (rules.stream().allMatch(rule -> rule.method().isEmpty())) {
                return Optional.empty();
            }
            UrlParts parts = UrlParts.of(url);
            return rules.stream().filter(rule -> rule.method().isPresent() && rule.areFor(parts))
                    .reduce((_, last) -> last).flatMap(UrlHeaders::method);
        }

        /** Whether a site owner finds an address in the {@code User-Agent} header. */
        public boolean namesContact() {
            return contact.isPresent() || userAgent.contains("@") || userAgent.contains("://");
        }

        /**
         * The {@code User-Agent} header that is sent: with {@code (+contact)} behind it. The product token stays the
         * same.
         */
        public String sentUserAgent() {
            return contact.map(where -> userAgent + " (+" + where + ")").orElse(userAgent);
        }
    }

    /**
     * What is extracted from pages.
     *
     * @param text whether items hold the readable text
     * @param markdown whether items of HTML hold that text as Markdown
     * @param language whether items say in which language the text is; so they do where the scope names languages
     * @param anchors whether items hold the text and link types of links
     * @param fragments whether the links in items keep their fragments
     * @param parsers the names of the parsers that run; by default all; a request may name another
     * @param page whether each page is an item; by default only without {@code items}
     * @param items the rules by which pages give items of named types
     */
    @RecordBuilder
    @RecordBuilder.Options(prefixEnclosingClassNames = false)
    public record ExtractRules(Boolean text, @JsonInclude(JsonInclude.Include.NON_DEFAULT) Boolean markdown,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) Boolean language, Boolean anchors,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) Boolean fragments,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Size(max = 100) List<String> parsers,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Boolean> page,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ItemRule> items) implements ExtractRulesBuilder.With {
        /** With the readable text. */
        public static final ExtractRules DEFAULT = ExtractRulesBuilder.builder().build();

        /** Fills in the defaults. */
        public ExtractRules {
            text = text == null || text;
            markdown = markdown != null && markdown;
            language = language != null && language;
            anchors = anchors != null && anchors;
            fragments = fragments != null && fragments;
            parsers = parsers == null ? List.of() : List.copyOf(parsers);
            items = items == null ? List.of() : List.copyOf(items);
        }

        /** Whether each page is an item. */
        public boolean pageItem() {
            return page.orElse(items.isEmpty());
        }
    }

    /**
     * How item processors run.
     *
     * @param failFast whether the first failing item processor ends the chain for that item
     * @param processors the item processors that run, in this order; by default all of the plug-ins, in their own
     */
    @RecordBuilder
    @RecordBuilder.Options(prefixEnclosingClassNames = false)
    public record ProcessRules(Boolean failFast,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Size(max = 100) List<ProcessorStep> processors)
            implements
                ProcessRulesBuilder.With {
        /** The first failure ends the chain. */
        public static final ProcessRules DEFAULT = ProcessRulesBuilder.builder().build();

        /** Fills in the defaults. */
        public ProcessRules {
            failFast = failFast == null || failFast;
            processors = processors == null ? List.of() : List.copyOf(processors);
        }

        /** Whether items with one content are stored once. */
        public boolean unique() {
            return processors.stream().anyMatch(step -> step.unique().isPresent());
        }
    }

    /** The rules for URLs, but for domains and budgets. */
    public ScopeRules scopeRules() {
        return ScopeRules
                .of(limits.depthLimit(), scope.include, scope.exclude, scope.maxDepth, scope.skipEndings,
                        new MediaTypeRules(scope.wantedTypes().include(), List.of()))
                .withRequisites(scope.requisiteRules().hosts());
    }

    /** A crawl from these seeds; everything else has its default. */
    public static CrawlDefinition of(List<Seed> seeds) {
        return CrawlDefinitionBuilder.builder().seeds(seeds).build();
    }

    /** Where it begins: the seeds, and the sitemaps that it names. */
    public List<Seed> starts() {
        return discover.sitemaps().isEmpty()
                ? seeds
                : Stream.concat(seeds.stream(), discover.seeds().stream()).toList();
    }

    /** The options of the request of a URL: those of the seed or named sitemap with it, if there is one. */
    public FetchOptions optionsOf(String url) {
        return starts().stream().filter(seed -> seed.url().filter(url::equals).isPresent()).findFirst()
                .map(seed -> fetch.sent(seed, url).options()).orElseGet(() -> fetch.sent(FetchOptions.NONE, url));
    }

    /** A copy for display, without secrets. */
    public CrawlDefinition hidden() {
        return with(shown -> shown.seeds(seeds.stream().map(Hidden::seed).toList()).fetch(Hidden.fetch(fetch))
                .webhooks(webhooks.stream().map(Webhook::hidden).toList()));
    }

    /**
     * A copy in which what is {@link #hidden} has the known values: a caller who sends back what was shown changes no
     * secret.
     */
    public CrawlDefinition withSecretsOf(CrawlDefinition known) {
        Map<String, Seed> seedsByIdentity = new HashMap<>();
        known.seeds.forEach(seed -> seedsByIdentity.putIfAbsent(Hidden.seed(seed).identity(), seed));
        return with(
                restored -> restored
                        .seeds(seeds.stream()
                                .map(s -> Hidden.restored(s,
                                        seedsByIdentity.getOrDefault(Hidden.seed(s).identity(), s)))
                                .toList())
                        .fetch(Hidden.restored(fetch, known.fetch)).webhooks(IntStream.range(0, webhooks.size())
                                .mapToObj(i -> webhooks.get(i).withSecretsOf(known.webhooks, i, webhooks)).toList()));
    }

    /** A copy with what identifies a run in an existing crawl: the seeds, domains, depth and identity rules. */
    public CrawlDefinition identifiedBy(CrawlDefinition known) {
        return with(same -> same.seeds(known.seeds).scope(scope.withDomains(known.scope.domains))
                .identity(known.identity).limits(limits.withDepth(known.limits.depth)));
    }
}
