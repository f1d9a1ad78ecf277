package io.trawl.coordinator.lifecycle;

import io.trawl.admission.AcceptedName;
import io.trawl.admission.NormalUrl;
import io.trawl.admission.Refused;
import io.trawl.admission.UrlNormalizer;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What people may ask the leader for. Belongs to the leader's thread. */
public final class Commands {
    private final Lifecycle lifecycle;
    private final Book book;
    private final DefinitionRules rules;
    private final Places places;
    private final ToLongFunction<CrawlRun> pages;

    /**
     * @param places for the seeds of new definitions
     * @param pages how many pages of a run are stored
     */
    public Commands(Lifecycle lifecycle, Book book, DefinitionRules rules, Places places, ToLongFunction<CrawlRun> pages) {
        this.lifecycle = lifecycle;
        this.book = book;
        this.rules = rules;
        this.places = places;
        this.pages = pages;
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
            defined = new Defined(initialise(crawl, definition, domains), known.isEmpty(), known.map(CrawlStatus::run));
        } else {
            defined = new Defined(attach(known.get(), definition), false, Optional.empty());
        }
        return start && wantsStart(defined.status())
                ? new Defined(lifecycle.start(defined.status()), defined.created(), defined.replaced())
                : defined;
    }

    private CrawlStatus initialise(CrawlId crawl, CrawlDefinition definition, Set<String> domains) throws InterruptedException {
        places.keep(definition.seeds(), definition.priority());
        try {
            return lifecycle.initialise(crawl, definition, domains);
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
        CrawlDefinition merged = new CrawlDefinition(known.definition().seeds(), known.definition().domains(),
                known.definition().depth(),
                wanted.maxPages(), wanted.delay(), wanted.userAgent(), wanted.priority(), wanted.text(), wanted.failFast(),
                wanted.profile(), wanted.proxy(), wanted.webhooks());
        return merged.equals(known.definition()) ? known : lifecycle.redefine(known, merged);
    }

    private boolean wantsStart(CrawlStatus status) {
        return status.state() != CrawlState.STARTED && !status.finished()
                && !limitReached(status);
    }

    private boolean limitReached(CrawlStatus status) {
        boolean limited = status.end().filter(e -> e.reason() == EndReason.PAGE_LIMIT).isPresent();
        return limited && status.definition().maxPages().filter(most -> pages.applyAsLong(status.run()) >= most).isPresent();
    }

    /**
     * Starts a crawl, or lets it go on.
     *
     * @throws UnknownCrawl if there is none of that id
     * @throws IllegalMove if its state forbids it, or its limit of pages is reached
     */
    public CrawlStatus start(CrawlId crawl) throws InterruptedException {
        CrawlStatus now = settled(crawl).orElseThrow(() -> new UnknownCrawl(crawl));
        if (now.state() == CrawlState.STOPPED && limitReached(now)) {
            throw new IllegalMove(crawl, now.state(), "its limit of pages is reached; define it with a higher maxPages first");
        }
        return lifecycle.start(now);
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
