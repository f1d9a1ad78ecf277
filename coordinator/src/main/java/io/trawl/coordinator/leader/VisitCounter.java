package io.trawl.coordinator.leader;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.control.RunVisits.VisitSource;
import io.trawl.control.VisitChoice;
import io.trawl.coordinator.definition.DefinitionChanges.DueChange;
import io.trawl.coordinator.leader.VisitLog.RequestListener;
import io.trawl.coordinator.leader.VisitLog.VisitRange;
import io.trawl.coordinator.leader.VisitPlan.Turn;
import io.trawl.coordinator.lifecycle.RefreshPlan;
import io.trawl.coordinator.summary.VisitSummary;
import io.trawl.http.CallRefusedException;
import io.trawl.model.CrawlId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Counts the next visits of the pages of a crawl, as {@link VisitPlan} judges them, by reading them twice or thrice.
 * One call at a time reads, as much memory as one promotion needs, and for no longer than ten seconds; beyond that
 * calls are refused with 503. They throw {@link org.apache.kafka.common.KafkaException} if the broker does not answer.
 * Changes nothing. Thread-safe; calls block.
 */
public final class VisitCounter {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private final CoordinatorContext parts;
    private final Semaphore room = new Semaphore(1);

    /** @param parts know the crawls, and where their visits are */
    public VisitCounter(CoordinatorContext parts) {
        this.parts = parts;
    }

    /**
     * The next visits of the newest run of a crawl; those of the run before while they are made requests of it.
     *
     * @throws CallRefusedException 404 if the run keeps no visits, 503 if they cannot be read in time
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is no such crawl
     */
    public VisitSummary summary(CrawlId crawl) throws InterruptedException {
        CrawlStatus status = parts.controlState().known(crawl);
        VisitRange range = range(status).orElseThrow(() -> new CallRefusedException(404,
                status.run() + " keeps no visits: its definition had no refresh when it began"));
        VisitPlan plan = new VisitPlan(VisitChoice.ALL, status.definition());
        VisitSummation summation = new VisitSummation(plan, status.definition().refreshRules(),
                parts.context().time().now());
        read(range, List.of(plan), visits -> visits.forEach(summation::add));
        return summation.result(range.run());
    }

    /**
     * What a refresh would make of the visits of a run.
     *
     * @throws CallRefusedException 503 if they cannot be read in time
     */
    RefreshPlan planned(CrawlStatus status, VisitSource source) throws InterruptedException {
        CrawlId crawl = status.run().crawl();
        return new RefreshPlan(crawl, source.epoch(),
                counts(VisitRange.of(crawl, source), List.of(new VisitPlan(source.choice(), status.definition())))
                        .getFirst());
    }

    /**
     * How many pages are due now, by the rules of a crawl and by others; empty if its run keeps no visits.
     *
     * @throws CallRefusedException 503 if they cannot be read in time
     */
    Optional<DueChange> due(CrawlStatus status, CrawlDefinition wanted) throws InterruptedException {
        Optional<VisitRange> range = range(status);
        if (range.isEmpty()) {
            return Optional.empty();
        }
        VisitChoice due = new VisitChoice(Optional.empty(), Optional.of(parts.context().time().now()),
                Optional.empty());
        List<PromotedVisits> counts = counts(range.get(),
                List.of(new VisitPlan(due, status.definition()), new VisitPlan(due, wanted)));
        PromotedVisits before = counts.getFirst();
        return Optional.of(new DueChange(before.made() + before.later(), before.made(), counts.getLast().made()));
    }

    private Optional<VisitRange> range(CrawlStatus status) throws InterruptedException {
        if (status.unpromoted().isPresent() || status.visits().isEmpty()) {
            return status.unpromoted().map(source -> VisitRange.of(status.run().crawl(), source));
        }
        String topic = parts.context().kafka().topics().visits();
        long end = parts.progress().stable(topic).getOrDefault(new TopicPartition(topic, 0), 0L);
        return status.visits().map(visits -> new VisitRange(status.run(), visits.begin(), visits.promotion(), end));
    }

    private List<PromotedVisits> counts(VisitRange range, List<VisitPlan> plans) throws InterruptedException {
        List<Map<Turn, Long>> counts = new ArrayList<>();
        plans.forEach(_ -> counts.add(new EnumMap<>(Turn.class)));
        read(range, plans, requests -> requests.forEach(request -> {
            for (int i = 0; i < plans.size(); i++) {
                counts.get(i).merge(plans.get(i).turn(request), 1L, Long::sum);
            }
        }));
        return counts.stream().map(Turn::counts).toList();
    }

    /** @param plans take all records first @param visits takes the visits among them */
    private void read(VisitRange range, List<VisitPlan> plans, RequestListener visits) throws InterruptedException {
        long last = parts.context().time().nanos() + LIMIT.toNanos();
        BooleanSupplier late = () -> parts.context().time().nanos() - last >= 0;
        boolean whole = false;
        if (room.tryAcquire(LIMIT.toNanos(), TimeUnit.NANOSECONDS)) {
            try (Consumer<byte[], byte[]> reader = parts.context().kafka().clients().bulkReader(
                    parts.context().kafka().topics().coordinatorGroup(), "visit-counts-" + parts.context().mid())) {
                VisitLog log = new VisitLog(reader, parts.context().kafka().topics());
                whole = log.tell(range, plans, late) && log.read(range, late, requests -> visits
                        .take(requests.stream().filter(request -> request.visit().isPresent()).toList()));
            } finally {
                room.release();
            }
        }
        if (!whole) {
            throw new CallRefusedException(503,
                    "the visits of " + range.run() + " cannot be read within " + LIMIT.toSeconds() + " seconds");
        }
    }
}
