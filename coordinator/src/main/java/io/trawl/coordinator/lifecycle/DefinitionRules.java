package io.trawl.coordinator.lifecycle;

import io.trawl.admission.AcceptedName;
import io.trawl.admission.Admission;
import io.trawl.admission.Candidate;
import io.trawl.admission.Refused;
import io.trawl.codec.Json;
import io.trawl.control.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.Durations;
import io.trawl.model.Seed;
import io.trawl.model.Webhook;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules for what a user may ask for (S13). Every fault is found, not only the first. Immutable and thread-safe.
 */
public final class DefinitionRules {
    /** A record of {@code control} must hold the whole definition. */
    static final int LARGEST = 900_000;
    private static final int MOST_WEBHOOKS = 10;
    private static final int DEEPEST = 65_535;
    private static final Duration SHORTEST_TIME = Duration.ofSeconds(1);
    private static final Duration LONGEST_DELAY = Duration.ofHours(1);
    private final Admission admission;
    private final int levels;

    /** @param levels how many priorities the deployment has */
    public DefinitionRules(Admission admission, int levels) {
        this.admission = admission;
        this.levels = levels;
    }

    /**
     * The definition with its domains in normal form.
     *
     * @return the accepted domains: those of the definition, or else the primary domains of its seeds
     * @throws InvalidDefinition with every fault
     */
    public Set<String> check(CrawlId crawl, CrawlDefinition definition) {
        Faults faults = new Faults();
        numbers(faults, definition);
        userAgent(faults, definition.userAgent());
        definition.proxy().ifPresent(p -> faults.unless(SeedRules.proxy(p), "proxy", p, SeedRules.PROXY));
        webhooks(faults, definition.webhooks());
        Set<String> named = domains(faults, definition.domains());
        Set<String> own = seeds(faults, crawl, definition.priority(), definition.seeds());
        int size = Json.bytes(definition).length;
        faults.unless(size <= LARGEST, "seeds", size + " bytes",
                "a definition of at most " + LARGEST + " bytes; add further seeds to the topic or at /seeds");
        faults.check();
        return named.isEmpty() ? own : named;
    }

    /** @throws InvalidDefinition with every fault of every seed */
    public void check(CrawlId crawl, List<Seed> seeds, int priority) {
        Faults faults = new Faults();
        seeds(faults, crawl, priority, seeds);
        faults.check();
    }

    private void numbers(Faults faults, CrawlDefinition definition) {
        faults.unless(definition.depth() >= -1 && definition.depth() <= DEEPEST, "depth", definition.depth(),
                "-1 (no limit) to " + DEEPEST);
        definition.maxPages().ifPresent(n -> faults.unless(n >= 1, "maxPages", n, "at least 1"));
        definition.maxBytes().ifPresent(n -> faults.unless(n >= 1, "maxBytes", n, "at least 1"));
        definition.maxTime().ifPresent(t -> faults.unless(t.compareTo(SHORTEST_TIME) >= 0, "maxTime", Durations.format(t),
                "at least " + Durations.format(SHORTEST_TIME)));
        definition.schedule().ifPresent(schedule -> {
            faults.note(() -> Timetable.times(schedule.cron()));
            faults.note(() -> Timetable.zone(schedule.zone()));
        });
        faults.unless(!definition.delay().isNegative() && definition.delay().compareTo(LONGEST_DELAY) <= 0, "delay",
                Durations.format(definition.delay()), "0ms to 1h");
        faults.unless(definition.priority() >= 0 && definition.priority() < levels, "priority", definition.priority(),
                "0 to " + (levels - 1));
    }

    private static void userAgent(Faults faults, String name) {
        faults.unless(!name.isBlank() && HeaderRules.value(name), "userAgent", name,
                "not empty, of visible ASCII characters and blanks");
    }

    private static void webhooks(Faults faults, List<Webhook> webhooks) {
        faults.unless(webhooks.size() <= MOST_WEBHOOKS, "webhooks", webhooks.size(), "at most " + MOST_WEBHOOKS);
        for (int i = 0; i < webhooks.size(); i++) {
            Webhook webhook = webhooks.get(i);
            faults.unless(Webhook.isUrl(webhook.url()), "webhooks[" + i + "].url", webhook.url(), Webhook.URL_RULE);
            faults.unless(webhook.secret().flatMap(Webhook::key).isPresent(), "webhooks[" + i + "].secret",
                    webhook.secret().map(secret -> "(hidden)").orElse(""), Webhook.SECRET_RULE);
        }
    }

    private static Set<String> domains(Faults faults, List<String> domains) {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < domains.size(); i++) {
            String field = "domains[" + i + "]";
            String value = domains.get(i);
            faults.note(() -> AcceptedName.of(field, value)).ifPresent(names::add);
        }
        return names;
    }

    private Set<String> seeds(Faults faults, CrawlId crawl, int priority, List<Seed> seeds) {
        Set<String> domains = new TreeSet<>();
        for (int i = 0; i < seeds.size(); i++) {
            String field = "seeds[" + i + "]";
            Seed seed = seeds.get(i);
            seed.crawl().ifPresent(c -> faults.unless(c.equals(crawl.value()), field + ".crawl", c, "left out, or " + crawl));
            int level = seed.priority().orElse(priority);
            seed.priority().ifPresent(p -> faults.unless(p >= 0 && p < levels, field + ".priority", p, "0 to " + (levels - 1)));
            SeedRules.fault(seed).ifPresent(f -> faults.unless(false, field + "." + f.field(), f.value(), f.rule()));
            switch (admission.seed(seed.url(), Math.clamp(level, 0, levels - 1), levels)) {
                case Candidate.Open open -> domains.add(open.domain());
                case Refused refused -> faults.unless(false, field + ".url", seed.url().orElse(""),
                        "an absolute http or https URL: " + refused.cause());
            }
        }
        return domains;
    }
}
