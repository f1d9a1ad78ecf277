package io.trawl.coordinator.definition;

import io.trawl.definition.CrawlDefinition.Scope;
import io.trawl.admission.AcceptedName;
import io.trawl.admission.Admission;
import io.trawl.admission.Candidate;
import io.trawl.admission.Refusal;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.EventType;
import io.trawl.definition.Webhook;
import io.trawl.extract.Extraction;
import io.trawl.field.RecordRules;
import io.trawl.model.CrawlId;
import io.trawl.definition.url.DiscoverRules;
import io.trawl.definition.Hidden;
import io.trawl.model.Request;
import io.trawl.definition.RefreshRules;
import io.trawl.model.Seed;
import io.trawl.scope.ScopeRules;
import io.trawl.model.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The rules for definitions and seeds of users (S13). All faults are reported, not only the first. Immutable and
 * thread-safe.
 */
public final class DefinitionRules {
    /** The largest size of a definition in bytes: a record of {@code control} must hold all of it. */
    public static final int LARGEST = 900_000;
    private static final RecordRules BESIDE_THE_FIELDS = RecordRules.of(CrawlDefinition.class);
    /**
     * Who names a seed that the scope excludes has it refused and counted: the crawl may have other definitions later.
     */
    private static final ScopeRules ANY = ScopeRules.within(Request.LARGEST_DEPTH);
    private final Admission admission;
    private final int levels;
    private final Predicate<String> ownTopics;

    /** @param levels the number of priorities of the deployment */
    public DefinitionRules(Admission admission, int levels) {
        this(admission, levels, new TopicNames("trawl.")::owns);
    }

    /** @param ownTopics the topics of the deployment, which no sink may be */
    public DefinitionRules(Admission admission, int levels, Predicate<String> ownTopics) {
        this.admission = admission;
        this.levels = levels;
        this.ownTopics = ownTopics;
    }

    /**
     * Checks a definition and normalises its domains.
     *
     * @return the accepted domains: those of the definition, or else the primary domains of its seeds
     * @throws InvalidDefinitionException with every fault
     */
    public Set<String> check(CrawlId crawl, CrawlDefinition definition) {
        FaultCollector faultCollector = new FaultCollector();
        if (!BESIDE_THE_FIELDS.check("", definition, fault -> faultCollector.add(() -> fault))) {
            faultCollector.check(); // Other rules compare the elements of a list with each other.
        }
        Set<String> named = domains(faultCollector, definition.scope().domains());
        faultCollector.each("priorities", definition.priorities(), (field, rule) -> faultCollector
                .unless(rule.priority() < levels, field + ".priority", rule.priority(), "0 to " + (levels - 1)));
        discover(faultCollector, definition);
        FetchDefinitionRules.check(faultCollector, definition.fetch());
        names(faultCollector, "extract.parsers", definition.extract().parsers());
        faultCollector.addAll(Extraction.faults(definition.extract().items()), 0);
        ProcessorRules.faults("process.processors", definition.process().processors())
                .forEach(fault -> faultCollector.add(() -> fault));
        SinkRules.check(faultCollector, "sinks", definition.sinks(), ownTopics);
        faultCollector.unless(definition.priority() >= 0 && definition.priority() < levels, "priority",
                definition.priority(), "0 to " + (levels - 1));
        definition.schedule().ifPresent(schedule -> {
            faultCollector.note(() -> CronSchedule.cron(schedule.cron()));
            faultCollector.note(() -> CronSchedule.zone(schedule.zone()));
        });
        definition.refresh().ifPresent(refresh -> refresh(faultCollector, refresh));
        webhooks(faultCollector, definition.webhooks(), definition.refreshRules().events());
        secrets(faultCollector, definition);
        Set<String> own = seeds(faultCollector, crawl, definition.priority(), definition.seeds());
        own.addAll(sitemaps(faultCollector, definition.discover().sitemaps()));
        int size = Json.bytes(definition).length;
        faultCollector.unless(size <= LARGEST, "seeds", size + " bytes",
                "a definition of at most " + LARGEST + " bytes; add further seeds to the topic or at /seeds");
        faultCollector.check();
        if (named.isEmpty() || definition.scope().ofSeeds()) {
            named.addAll(own);
        }
        return named;
    }

    /** @throws InvalidDefinitionException with every fault of every seed */
    public void check(CrawlId crawl, List<Seed> seeds, int priority) {
        FaultCollector faultCollector = new FaultCollector();
        seeds(faultCollector, crawl, priority, seeds);
        faultCollector.check();
    }

    private static void refresh(FaultCollector faultCollector, RefreshRules refresh) {
        interval(faultCollector, "refresh", refresh.least(), refresh.most());
        faultCollector.each("refresh.pages", refresh.pages(),
                (field, rule) -> interval(faultCollector, field, rule.least(), rule.most()));
    }

    private static void interval(FaultCollector faultCollector, String field, Optional<Duration> least,
            Optional<Duration> most) {
        least.ifPresent(
                shortest -> faultCollector.unless(most.filter(longest -> longest.compareTo(shortest) < 0).isEmpty(),
                        field + ".least", Durations.format(shortest), "at most the time of most"));
    }

    private static void discover(FaultCollector faultCollector, CrawlDefinition definition) {
        DiscoverRules discover = definition.discover();
        int depth = discover.sitemapDepth();
        faultCollector.unless(!discover.from().sitemaps() || depth != 1 || definition.limits().depthLimit() >= 1,
                "discover.sitemapDepth", depth, "0, since limits.depth is 0");
        faultCollector.unless(discover.from().sitemaps() || discover.sitemaps().isEmpty(), "discover.sitemaps",
                discover.sitemaps().size(), "left out, unless discover.from is sitemap or both");
        faultCollector.each("discover.regions", discover.regions(), (field, region) -> PageRegion.fault(region)
                .ifPresent(fault -> faultCollector.add(() -> fault.of(field))));
    }

    /** The domains of the named sitemaps. */
    private Set<String> sitemaps(FaultCollector faultCollector, List<String> sitemaps) {
        Set<String> domains = new TreeSet<>();
        faultCollector.each("discover.sitemaps", sitemaps, (field, url) -> {
            faultCollector.unless(!hasPassword(url), field, Hidden.userInfo(url), "a URL without a password");
            switch (admission.seed(Optional.of(url), 0, levels, ANY)) {
                case Candidate.Open open -> domains.add(open.domain());
                case Refusal refusal -> faultCollector.unless(false, field, Hidden.userInfo(url),
                        "an absolute http or https URL: " + refusal.cause());
            }
        });
        return domains;
    }

    /** Which plug-ins there are is known to analyzers and pipelines only. */
    private static void names(FaultCollector faultCollector, String field, List<String> names) {
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            faultCollector.unless(!name.isBlank() && names.indexOf(name) == i, field + "[" + i + "]", name,
                    "a name that is not empty and not in the list before");
        }
    }

    private static void webhooks(FaultCollector faultCollector, List<Webhook> webhooks, boolean pageEvents) {
        faultCollector.each("webhooks", webhooks, (field, webhook) -> {
            faultCollector.unless(!Hidden.in(webhook.url()), field + ".url", webhook.url(), Hidden.RULE);
            Optional<String> reference = CrawlVariables.fault(webhook.url(), CrawlVariables.SECRET);
            faultCollector.unless(reference.isEmpty() && Webhook.isUrl(webhook.url()), field + ".url",
                    Hidden.beyondServer(webhook.url()), reference.orElse(Webhook.URL_RULE));
            faultCollector.unless(
                    webhook.secret().filter(s -> Webhook.key(s).isPresent() || CrawlVariables.only(s)).isPresent(),
                    field + ".secret", webhook.secret().map(secret -> Hidden.TEXT).orElse(""),
                    Webhook.SECRET_RULE + ", or ${env:" + CrawlVariables.SECRET + "NAME}");
            String pages = EventType.PAGE_CHANGED.word();
            faultCollector.unless(pageEvents || !webhook.wants(pages), field + ".events", pages,
                    "an event of a crawl with refresh.events: true");
        });
    }

    /**
     * Definitions stand in files, in topics and in answers: what proves who someone is has its place in the
     * environment.
     */
    private static void secrets(FaultCollector faultCollector, CrawlDefinition definition) {
        faultCollector.each("seeds", definition.seeds(), (field, seed) -> {
            FetchDefinitionRules.secrets(faultCollector, field, seed.headers());
            FetchDefinitionRules.proxySecret(faultCollector, field + ".proxy", seed.proxy());
            faultCollector.unless(seed.url().filter(DefinitionRules::hasPassword).isEmpty(), field + ".url",
                    Hidden.userInfo(seed.url().orElse("")),
                    "a URL without a password, which is never sent; the header Authorization takes "
                            + CrawlVariables.RULE);
        });
    }

    /** Whether the user information of a URL has a colon. */
    private static boolean hasPassword(String url) {
        String shown = Hidden.userInfo(url);
        int start = url.indexOf("//") + 2;
        return !shown.equals(url) && url
                .substring(start, url.length() - (shown.length() - start - Hidden.TEXT.length())).indexOf(':') >= 0;
    }

    private static Set<String> domains(FaultCollector faultCollector, List<String> domains) {
        Set<String> names = new TreeSet<>();
        faultCollector.each("scope.domains", domains, (field, value) -> {
            if (!value.equals(Scope.SEEDS)) {
                faultCollector.note(() -> AcceptedName.of(field, value)).ifPresent(names::add);
            }
        });
        return names;
    }

    private Set<String> seeds(FaultCollector faultCollector, CrawlId crawl, int priority, List<Seed> seeds) {
        Set<String> domains = new TreeSet<>();
        faultCollector.each("seeds", seeds, (field, seed) -> {
            seed.crawl().ifPresent(
                    c -> faultCollector.unless(c.equals(crawl.value()), field + ".crawl", c, "left out, or " + crawl));
            int level = seed.priority().orElse(priority);
            seed.priority().ifPresent(
                    p -> faultCollector.unless(p >= 0 && p < levels, field + ".priority", p, "0 to " + (levels - 1)));
            SeedRules.faults(seed)
                    .forEach(f -> faultCollector.unless(false, field + "." + f.field(), f.value(), f.rule()));
            switch (admission.seed(seed.url(), Math.clamp(level, 0, levels - 1), levels, ANY)) {
                case Candidate.Open open -> domains.add(open.domain());
                case Refusal refusal -> faultCollector.unless(false, field + ".url",
                        Hidden.userInfo(seed.url().orElse("")), "an absolute http or https URL: " + refusal.cause());
            }
        });
        return domains;
    }
}
