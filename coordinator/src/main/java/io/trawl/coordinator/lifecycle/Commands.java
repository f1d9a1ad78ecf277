package io.trawl.coordinator.lifecycle;

import io.trawl.admission.AcceptedName;
import io.trawl.admission.NormalUrl;
import io.trawl.admission.Refused;
import io.trawl.admission.UrlNormalizer;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.Totals;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Seed;
import io.trawl.time.Time;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What people may ask the leader for. Belongs to the leader's thread. */
public final class Commands {
    private final Lifecycle lifecycle;
    private final Book book;
    private final DefinitionRules rules;
    private final Places places;
    private final Function<CrawlRun, Totals> totals;
    private final Time time;

    /**
     * @param places for the seeds of new definitions
     * @param totals how far a run has come
     */
    public Commands(Lifecycle lifecycle, Book book, DefinitionRules rules, Places places, Function<CrawlRun, Totals> totals,
            Time time) {
        this.lifecycle = lifecycle;
        this.book = book;
        this.rules = rules;
        this.places = places;
        this.totals = totals;
        this.time = time;
    }

    /**
     * What became of a definition.
     *
     * @param replaced the run whose place a new one has taken
     */
    public record Defined(CrawlStatus status, boolean created, Optional<CrawlRun> replaced) {}

    /**
     * Defines a crawl, or attaches to the one that exists.
     *
     * @param start whether it is to run; one that runs already, is finished, or has reached its limit of pages stays as it is
     * @param fresh whether a new run with an empty ledger takes the place of the one that exists
     * @throws InvalidDefinition if the definition has faults
     * @throws OtherDefinition if the crawl exists with other seeds, domains or depth
     * @throws ChannelFull if there is no room for the seeds of a new run
     * @throws IllegalMove if its state forbids it
     */
    public Defined define(CrawlId crawl, CrawlDefinition wanted, boolean start, boolean fresh) throws InterruptedException {
        Optional<CrawlStatus> known = settled(crawl);
        CrawlDefinition definition = known.map(k -> wanted.withSecretsOf(k.definition())).orElse(wanted);
        Set<String> domains = rules.check(crawl, definition);
        Defined defined;
        if (known.isEmpty() || fresh) {
            defined = new Defined(initialise(crawl, definition, domains, time.now()), known.isEmpty(),
                    known.map(CrawlStatus::run));
        } else {
            defined = new Defined(attach(known.get(), definition), false, Optional.empty());
        }
        return start && wantsStart(defined.status())
                ? new Defined(lifecycle.start(defined.status()), defined.created(), defined.replaced())
                : defined;
    }

    private CrawlStatus initialise(CrawlId crawl, CrawlDefinition definition, Set<String> domains, Instant scheduledFrom)
            throws InterruptedException {
        places.keep(definition.seeds(), definition.priority());
        try {
            return lifecycle.initialise(crawl, definition, domains, scheduledFrom);
        } catch (IllegalMove | Scribe.NotWritten e) {
            places.giveBack(definition.seeds(), definition.priority());
            throw e;
        }
    }

    /** The crawl after what a leader before, or a failed transaction, has left half-way. */
    private Optional<CrawlStatus> settled(CrawlId crawl) throws InterruptedException {
        Optional<CrawlStatus> status = book.crawl(crawl);
        if (status.isPresent()) {
            lifecycle.goOn(status.get());
        }
        return book.crawl(crawl);
    }

    private CrawlStatus attach(CrawlStatus known, CrawlDefinition wanted) {
        List<String> differences = new ArrayList<>();
        if (!urls(known.definition()).equals(urls(wanted))) {
            differences.add("other seeds");
        }
        if (!names(known.definition()).equals(names(wanted))) {
            differences.add("other domains");
        }
        if (!known.definition().depth().equals(wanted.depth())) {
            differences.add("another depth (" + known.definition().depth() + ")");
        }
        if (!differences.isEmpty()) {
            throw new OtherDefinition(known.run().crawl(), differences);
        }
        CrawlDefinition merged = wanted.identifiedBy(known.definition());
        return merged.equals(known.definition()) ? known : lifecycle.redefine(known, merged);
    }

    private boolean wantsStart(CrawlStatus status) {
        return status.state() != CrawlState.STARTED && !status.finished()
                && limitReached(status).isEmpty();
    }

    /** The limit that ended the crawl, if it still holds. */
    private Optional<Limit> limitReached(CrawlStatus status) {
        boolean limited = status.end().filter(e -> Limit.of(e.reason()).isPresent()).isPresent();
        return limited ? Limit.reached(status, totals.apply(status.run()), time.now()) : Optional.empty();
    }

    /**
     * Starts a crawl, or lets it go on.
     *
     * @throws UnknownCrawl if there is none of that id
     * @throws IllegalMove if its state forbids it, or a limit is reached
     */
    public CrawlStatus start(CrawlId crawl) throws InterruptedException {
        CrawlStatus now = settled(crawl).orElseThrow(() -> new UnknownCrawl(crawl));
        Optional<Limit> limit = now.state() == CrawlState.STOPPED ? limitReached(now) : Optional.empty();
        if (limit.isPresent()) {
            throw new IllegalMove(crawl, now.state(), "its limit of " + limit.get().word()
                    + " is reached; define it with a higher " + limit.get().field() + " first");
        }
        return lifecycle.start(now);
    }

    /**
     * Deletes a crawl.
     *
     * @return what is left of it
     * @throws UnknownCrawl if there is none of that id
     * @throws IllegalMove if its state forbids it
     */
    public Deleted delete(CrawlId crawl) throws InterruptedException {
        return lifecycle.delete(settled(crawl).orElseThrow(() -> new UnknownCrawl(crawl)));
    }

    /**
     * Does what the schedule of a crawl says: begins a fresh run, with the domains that the crawl accepts now, unless one is going. Asked for again after
     * a leader was lost on the way, it goes on where that one was.
     *
     * @return the run whose place a new one has taken
     * @throws ChannelFull if there is no room for the seeds
     */
    public Optional<CrawlRun> fire(CrawlStatus now) throws InterruptedException {
        switch (now.state()) {
            case INITIALIZED -> lifecycle.startAsScheduled(now);
            case STOPPED -> {
                // A leader that is lost before the start finds the crawl initialised and the firing not dealt with.
                Instant from = now.scheduledUntil().orElseThrow();
                CrawlStatus fresh = initialise(now.run().crawl(), now.definition(), book.domains(now.run()).domains(), from);
                lifecycle.startAsScheduled(fresh);
                return Optional.of(now.run());
            }
            default -> lifecycle.fired(now);
        }
        return Optional.empty();
    }

    /**
     * Begins to stop a crawl.
     *
     * @throws UnknownCrawl if there is none of that id
     * @throws IllegalMove if its state forbids it
     */
    public CrawlStatus stop(CrawlId crawl) throws InterruptedException {
        return lifecycle.stop(settled(crawl).orElseThrow(() -> new UnknownCrawl(crawl)), EndReason.ASKED);
    }

    private static Set<String> urls(CrawlDefinition definition) {
        return definition.seeds().stream().map(Seed::url).flatMap(Optional::stream).map(Commands::normal)
                .collect(Collectors.toSet());
    }

    private static String normal(String url) {
        return switch (UrlNormalizer.normalize(url)) {
            case NormalUrl normal -> normal.text();
            case Refused refused -> url;
        };
    }

    private static Set<String> names(CrawlDefinition definition) {
        return definition.domains().stream().map(d -> AcceptedName.of("domains", d)).collect(Collectors.toSet());
    }
}
