package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.AppliedFile;
import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.StopSign;
import io.trawl.control.StopSign.SignScope;
import io.trawl.control.ControlView;
import io.trawl.control.FleetSettings;
import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * The latest records of {@code control}, including those that this process has just committed and not read back yet.
 * The leader, the only writer, decides by this state. Thread-safe; only {@link #known} may block.
 */
public final class ControlState {
    /** By key, so the crawls are in the order of their ids. */
    private final Map<String, ControlRecord> latest = new ConcurrentSkipListMap<>();
    private final ControlView control;
    /** Grows after each record that is entered. */
    private final AtomicLong entered = new AtomicLong();
    private volatile SortedCrawls sorted = new SortedCrawls(-1, List.of());
    private volatile Consumer<ControlRecord> changed = _ -> {};

    /** The crawls when so many records were entered, or later: they are asked for many times a second. */
    private record SortedCrawls(long at, List<CrawlStatus> crawls) {}

    /** Follows the records that {@code control} reads. */
    public ControlState(ControlView control) {
        this.control = control;
        control.listen(this::enter);
    }

    /** The last loss in Kafka. */
    public Optional<KafkaLoss> kafkaLoss() {
        return find(KafkaLoss.KEY, KafkaLoss.class);
    }

    /** Enters a committed record; it is ignored if it is not newer than the known one, as when it is read back. */
    public void enter(ControlRecord committed) {
        if (latest.merge(committed.key(), committed,
                (known, next) -> next.version() > known.version() ? next : known) != committed) {
            return;
        }
        if (committed instanceof Deleted deleted) {
            // The leader may have defined a new crawl with that id before it reads this back.
            deleted.keys()
                    .forEach(key -> latest.computeIfPresent(key, (k, known) -> deleted.ends(known) ? null : known));
        }
        entered.incrementAndGet();
        changed.accept(committed);
    }

    /**
     * Calls the listener, in place of the one before, with each record that is entered from now on, on any thread; it
     * must not block.
     */
    public void whenChanged(Consumer<ControlRecord> listener) {
        changed = listener;
    }

    /** Grows with each record that is entered. */
    public long changes() {
        return entered.get();
    }

    /** Blocks until what others have written to {@code control} before the call is known to the whole process. */
    void refresh() throws InterruptedException {
        control.refresh();
    }

    /** The version of the next record of a key. */
    public long nextVersion(String key) {
        return Optional.ofNullable(latest.get(key)).map(ControlRecord::version).orElse(0L) + 1;
    }

    /** The status of a crawl. */
    public Optional<CrawlStatus> crawl(CrawlId crawl) {
        return find(CrawlStatus.key(crawl), CrawlStatus.class);
    }

    /**
     * The status of a crawl. If it is not known here, the topic is read to its end first.
     *
     * @throws UnknownCrawlException if there is none
     * @throws KafkaException if Kafka does not answer
     */
    public CrawlStatus known(CrawlId crawl) throws InterruptedException {
        Optional<CrawlStatus> status = crawl(crawl);
        if (status.isEmpty()) {
            readToEnd(crawl);
            status = crawl(crawl);
        }
        return status.orElseThrow(() -> new UnknownCrawlException(crawl));
    }

    /**
     * The status of a crawl in this run, or a later one; empty if it is deleted. If no such run is known here, the
     * topic is read to its end first.
     *
     * @throws KafkaException if Kafka does not answer
     */
    public Optional<CrawlStatus> asOf(CrawlRun run) throws InterruptedException {
        if (lastRun(latest.get(CrawlStatus.key(run.crawl()))).filter(last -> last.epoch() >= run.epoch()).isEmpty()) {
            readToEnd(run.crawl());
        }
        return crawl(run.crawl());
    }

    private void readToEnd(CrawlId crawl) throws InterruptedException {
        if (!control.refresh(LeaderThread.PATIENCE)) {
            throw new KafkaException("whether there is a crawl " + crawl + " is not known: control cannot be read");
        }
    }

    /** The last run of each crawl, also of deleted ones. */
    public List<CrawlRun> lastRuns() {
        return latest.values().stream().flatMap(record -> lastRun(record).stream()).toList();
    }

    private static Optional<CrawlRun> lastRun(@Nullable ControlRecord record) {
        return switch (record) {
            case CrawlStatus status -> Optional.of(status.run());
            case Deleted deleted -> Optional.of(deleted.run());
            case null, default -> Optional.empty();
        };
    }

    /** All crawls, in the order of their ids. */
    public List<CrawlStatus> crawls() {
        long at = entered.get();
        SortedCrawls known = sorted;
        if (known.at() != at) {
            known = new SortedCrawls(at, latest.values().stream().filter(CrawlStatus.class::isInstance)
                    .map(CrawlStatus.class::cast).toList());
            sorted = known;
        }
        return known.crawls();
    }

    /** The tombstone of a deleted crawl, unless a crawl with that id exists again. */
    public Optional<Deleted> deleted(CrawlId crawl) {
        return find(CrawlStatus.key(crawl), Deleted.class);
    }

    /**
     * The last run of every crawl that another one has replaced, or that was deleted: all earlier ones are over, too.
     */
    public List<CrawlRun> past() {
        return latest.values().stream().flatMap(record -> switch (record) {
            case CrawlStatus status when status.run().epoch() > 1 ->
                Stream.of(new CrawlRun(status.run().crawl(), status.run().epoch() - 1));
            case Deleted deleted -> Stream.of(deleted.run());
            default -> Stream.empty();
        }).toList();
    }

    /** The present runs whose facts are given up. */
    List<CrawlRun> forgotten() {
        return crawls().stream().filter(crawl -> crawl.forgottenAt().isPresent()).map(CrawlStatus::run).toList();
    }

    /** The accepted domains of a run; an empty set with version 0 if none are known. */
    public Domains domains(CrawlRun run) {
        return find(Domains.key(run.crawl()), Domains.class).filter(d -> d.run().equals(run))
                .orElse(new Domains(run, 0, Set.of()));
    }

    /** The orders to move what waits in a run; none with version 0 if there are none. */
    public QueueMoves queueMoves(CrawlRun run) {
        return find(QueueMoves.key(run.crawl()), QueueMoves.class).filter(moves -> moves.run().equals(run))
                .orElse(new QueueMoves(run, 0, List.of()));
    }

    /** The stop sign of a crawl or of the fleet, set or reset. */
    public Optional<StopSign> stopSign(Optional<CrawlId> crawl) {
        return find(StopSign.key(crawl), StopSign.class);
    }

    /** The stop sign of a scope, set or reset. */
    public Optional<StopSign> stopSign(SignScope scope) {
        return find(scope.key(), StopSign.class);
    }

    /** All stop signs that were ever set, in the order of their keys: the fleet's first. */
    public List<StopSign> stopSigns() {
        return latest.values().stream().filter(StopSign.class::isInstance).map(StopSign.class::cast)
                .sorted(Comparator.comparing(StopSign::key)).toList();
    }

    /** The crawl file that was applied last. */
    public Optional<AppliedFile> file(CrawlId crawl) {
        return find(AppliedFile.key(crawl), AppliedFile.class);
    }

    /** The request topics. */
    public Optional<Channels> channels() {
        return find(Channels.KEY, Channels.class);
    }

    /** The settings of the whole deployment. */
    public Optional<FleetSettings> fleetSettings() {
        return find(FleetSettings.KEY, FleetSettings.class);
    }

    private <T extends ControlRecord> Optional<T> find(String key, Class<T> type) {
        return Optional.ofNullable(latest.get(key)).filter(type::isInstance).map(type::cast);
    }

    /** There is no such crawl. */
    public static final class UnknownCrawlException extends RuntimeException {
        /** @param crawl the unknown id */
        public UnknownCrawlException(CrawlId crawl) {
            super("there is no crawl " + crawl);
        }
    }
}
