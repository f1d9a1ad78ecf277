package io.trawl.analyzer.batch;

import io.trawl.analyzer.parse.PageBudget;
import io.trawl.analyzer.parse.ParsedPage.PageError;
import io.trawl.channel.ErrorChannel;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.codec.SalvagedHeader;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.model.MID;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.module.Counters;
import io.trawl.time.Time;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Counts the analyzer's work and reports its errors. Work counts when its batch is committed. A retried batch counts as
 * failed, and its responses as called again. Any thread may read, one thread writes.
 */
public final class AnalysisReport {
    private final MID mid;
    private final ErrorChannel errors;
    private final Counters counters;
    private final Time time;
    private final EventRate pages;
    private final LongAdder requests = new LongAdder();
    private final LongAdder unreadables = new LongAdder();
    private final LongAdder items = new LongAdder();
    private final LongAdder itemBytes = new LongAdder();
    private final Map<PageBudget, LongAdder> cuts = new EnumMap<>(PageBudget.class);
    private int inFlight;

    /** The report of the module with this MID. */
    public AnalysisReport(MID mid, ErrorChannel errors, Counters counters, Time time) {
        this.mid = mid;
        this.errors = errors;
        this.counters = counters;
        this.time = time;
        this.pages = new EventRate(time);
        for (PageBudget budget : PageBudget.values()) {
            cuts.put(budget, new LongAdder());
        }
    }

    void begin(int responses) {
        counters.returned(inFlight);
        counters.called(responses);
        counters.accepted(responses);
        inFlight = responses;
    }

    void committed(List<RunBatch.Result> results, List<UnreadableResponse> unreadableResponses, int itemsCut) {
        unreadableResponses.forEach(this::report);
        int failed = 0;
        for (RunBatch.Result result : results) {
            for (PageResult pageResult : result.pageResults()) {
                pages.mark(pageResult.answered().outcome() == OutcomeKind.PAGE ? 1 : 0);
                failed += pageResult.unparsed() ? 1 : 0;
                pageResult.cuts().forEach(budget -> adder(budget).increment());
                report(result, pageResult);
            }
            requests.add(result.requests().size());
        }
        adder(PageBudget.ITEM).add(itemsCut);
        counters.failed(failed);
        counters.completed(inFlight - failed);
        inFlight = 0;
    }

    /** Reports the downloader's errors, too. Runs after the commit, so that every reported error is also stored. */
    private void report(RunBatch.Result result, PageResult pageResult) {
        Optional<CrawlId> crawl = Optional.of(result.ledger().run().crawl());
        Optional<String> url = Optional.of(pageResult.url());
        pageResult.errors().stream().filter(PageError::reported).forEach(
                error -> errors.report(CrawlerError.of(mid, crawl, url, error.kind(), error.cause(), 1, time.now())));
        if (pageResult.answered().stored()) {
            pageResult.trouble().ifPresent(trouble -> errors.report(CrawlerError.of(trouble.downloader().orElse(mid),
                    crawl, url, trouble.kind(), trouble.cause(), trouble.attempts(), time.now())));
        }
    }

    private void report(UnreadableResponse unreadable) {
        unreadables.increment();
        errors.report(CrawlerError.of(mid, unreadable.crawl(), Optional.empty(), RefusalReason.MALFORMED.name(),
                unreadable.cause(), 1, time.now())
                .from(unreadable.record().topic(), unreadable.record().partition(), unreadable.record().offset()));
    }

    void encoded(int item) {
        items.increment();
        itemBytes.add(item);
    }

    /** The mean size of the items since the start, in bytes; 0 before the first. */
    public double meanItem() {
        long count = items.sum();
        return count == 0 ? 0 : (double) itemBytes.sum() / count;
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

    private LongAdder adder(PageBudget budget) {
        return Objects.requireNonNull(cuts.get(budget));
    }

    /** Pages since the start that exceeded a budget. */
    public long cuts(PageBudget budget) {
        return adder(budget).sum();
    }

    /** Records since the start that were not readable as responses. */
    public long unreadable() {
        return unreadables.sum();
    }

    /** Counts events: the total, and the rate over the last ten seconds. Thread-safe. */
    private static final class EventRate {
        private static final int WINDOW = 10;
        private final long[] seconds = new long[WINDOW];
        private final Time time;
        private final long start;
        private long newest;
        private long total;

        EventRate(Time time) {
            this.time = time;
            this.start = time.nanos();
        }

        synchronized void mark(long n) {
            seconds[(int) (now() % WINDOW)] += n;
            total += n;
        }

        synchronized long total() {
            return total;
        }

        /** The rate over the last ten seconds, or since the start if that is shorter. */
        synchronized double perSecond() {
            long elapsed = now() + 1;
            long sum = 0;
            for (long n : seconds) {
                sum += n;
            }
            return Math.round(10.0 * sum / Math.min(WINDOW, elapsed)) / 10.0;
        }

        /** The current second. Clears the seconds that have passed since the last call. */
        private long now() {
            long second = TimeUnit.NANOSECONDS.toSeconds(time.nanos() - start);
            for (long s = Math.max(newest + 1, second - WINDOW + 1); s <= second; s++) {
                seconds[(int) (s % WINDOW)] = 0;
            }
            newest = Math.max(newest, second);
            return second;
        }
    }

    /**
     * A record that cannot be read as a response.
     *
     * @param header the request that it answers, if that part is readable
     */
    record UnreadableResponse(ConsumerRecord<byte[], byte[]> record, MalformedRecordException why,
            Optional<SalvagedHeader> header) {
        static UnreadableResponse of(ConsumerRecord<byte[], byte[]> record, MalformedRecordException why) {
            Optional<Header> description = Optional.ofNullable(record.headers().lastHeader(Codec.RESPONSE_HEADER));
            return new UnreadableResponse(record, why, description.map(Header::value).flatMap(SalvagedHeader::of));
        }

        Optional<CrawlId> crawl() {
            return header.map(r -> r.run().crawl());
        }

        /** The reason in words, for people. */
        String cause() {
            return "the response cannot be read: " + why.getMessage() + (header.isPresent()
                    ? ""
                    : "; its request cannot be identified either, so the crawl may wait for this request for ever");
        }
    }
}
