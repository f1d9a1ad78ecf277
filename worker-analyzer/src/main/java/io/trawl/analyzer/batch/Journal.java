package io.trawl.analyzer.batch;

import io.trawl.channel.ErrorsChannel;
import io.trawl.codec.MalformedRecord;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.FailureReason;
import io.trawl.model.Item;
import io.trawl.model.ItemKind;
import io.trawl.model.MID;
import io.trawl.model.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.module.Counters;
import io.trawl.time.Time;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts and reports what an analyzer did. Work counts when its batch is committed; a batch that is begun again counts as failed and called anew. Read by
 * any thread, written by one.
 */
public final class Journal {
    private final MID mid;
    private final ErrorsChannel errors;
    private final Counters counters;
    private final Time time;
    private final Rate pages;
    private final LongAdder requests = new LongAdder();
    private final LongAdder unreadables = new LongAdder();
    private int open;

    /** A journal of the module with this MID. */
    public Journal(MID mid, ErrorsChannel errors, Counters counters, Time time) {
        this.mid = mid;
        this.errors = errors;
        this.counters = counters;
        this.time = time;
        this.pages = new Rate(time);
    }

    void begin(int responses) {
        counters.failed(open);
        counters.called(responses);
        counters.accepted(responses);
        open = responses;
    }

    void committed(List<RunAnalysis.Result> results, List<Unreadable> unreadable) {
        unreadable.forEach(this::report);
        int failed = 0;
        for (RunAnalysis.Result result : results) {
            for (Finding finding : result.findings()) {
                pages.mark(finding.answered().outcome() == OutcomeKind.PAGE ? 1 : 0);
                failed += unparsed(finding) ? 1 : 0;
                report(result, finding);
            }
            requests.add(result.requests().size());
        }
        counters.failed(failed);
        counters.completed(open - failed);
        open = 0;
    }

    private static boolean unparsed(Finding finding) {
        return finding.answered().outcome() == OutcomeKind.FAILURE
                && finding.answered().detail().equals(FailureReason.PARSE.name());
    }

    private void report(RunAnalysis.Result result, Finding finding) {
        CrawlId crawl = result.ledger().run().crawl();
        finding.errors().forEach(cause -> errors.report(CrawlerError.of(mid, Optional.of(crawl), finding.item().map(Item::url),
                FailureReason.PARSE.name(), cause, 1, time.now())));
        finding.item().filter(item -> item.kind() == ItemKind.ERROR)
                .ifPresent(item -> errors.report(unparsed(finding) ? ofThis(crawl, item) : ofDownloader(crawl, item)));
    }

    private CrawlerError ofThis(CrawlId crawl, Item item) {
        return CrawlerError.of(mid, Optional.of(crawl), Optional.of(item.url()), FailureReason.PARSE.name(), cause(item), 1,
                time.now());
    }

    /** What a downloader met is told here, once it is committed, so that no error is told that is not stored. */
    private CrawlerError ofDownloader(CrawlId crawl, Item item) {
        String kind = String.valueOf(item.fields().getOrDefault("reason", item.fields().get("kind")));
        int attempts = item.fields().get("attempts") instanceof Integer n ? n : 1;
        return CrawlerError.of(MID.parse(String.valueOf(item.fields().get("mid"))), Optional.of(crawl), Optional.of(item.url()),
                kind, cause(item), attempts, time.now());
    }

    private static String cause(Item item) {
        return String.valueOf(item.fields().get("cause"));
    }

    private void report(Unreadable none) {
        unreadables.increment();
        errors.report(CrawlerError
                .of(mid, none.crawl(), Optional.empty(), RefusalReason.MALFORMED.name(), none.cause(), 1, time.now())
                .from(none.record().topic(), none.record().partition(), none.record().offset()));
    }

    /** Pages analysed and committed since the start. */
    public long pages() {
        return pages.total();
    }

    /** Pages per second over the last ten seconds. */
    public double pagesPerSecond() {
        return pages.perSecond();
    }

    /** Requests written and committed since the start. */
    public long requests() {
        return requests.sum();
    }

    /** Records passed since the start that are no responses. */
    public long unreadable() {
        return unreadables.sum();
    }
}
