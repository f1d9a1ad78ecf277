package io.trawl.control;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.control.StopSign.SignScope;
import io.trawl.ledger.ResponseLayout;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.MID;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The records of {@code control} that this process has read. Reading is thread-safe and never blocks, except for
 * {@link #refresh()}. The view is consistent but may lag: refresh it before refusing something unknown.
 */
public interface ControlView {
    /** The latest record of a key, unless it was removed. */
    Optional<ControlRecord> latest(String key);

    /** The latest records of all keys, now and later. */
    Collection<ControlRecord> latest();

    /** The status of a crawl, if it is known. */
    default Optional<CrawlStatus> crawl(CrawlId crawl) {
        return latest(CrawlStatus.key(crawl), CrawlStatus.class);
    }

    /** All known crawls. */
    default Collection<CrawlStatus> crawls() {
        return latest(CrawlStatus.class).toList();
    }

    /** Whether an archive group reads {@code responses}: a crawl that is not finished has an archive. */
    default boolean archives() {
        return latest(CrawlStatus.class).anyMatch(CrawlStatus::archives);
    }

    /** The record of a deleted crawl, unless a crawl of that id exists again. */
    default Optional<Deleted> deleted(CrawlId crawl) {
        return latest(CrawlStatus.key(crawl), Deleted.class);
    }

    /** The accepted domains of a run; version 0 and no domains if none are known. */
    default Domains domains(CrawlRun run) {
        return latest(Domains.key(run.crawl()), Domains.class).filter(d -> d.run().equals(run))
                .orElse(new Domains(run, 0, Set.of()));
    }

    /** The stop sign in force for a crawl: its own or the fleet's. */
    default Optional<StopSign> stopSign(CrawlId crawl) {
        return Stream.of(Optional.of(crawl), Optional.<CrawlId>empty())
                .flatMap(scope -> latest(StopSign.key(scope), StopSign.class).stream()).filter(StopSign::signed)
                .findFirst();
    }

    /** Whether the sign of this module is in force: it leaves its groups and waits. */
    default boolean stopped(MID module) {
        return latest(SignScope.of(module).key(), StopSign.class).filter(StopSign::signed).isPresent();
    }

    /** The latest stop signs of all scopes, signed or reset. */
    default Collection<StopSign> stopSigns() {
        return latest(StopSign.class).toList();
    }

    /** The end offsets of {@code items} for a run. */
    default Optional<ItemEnds> itemEnds(CrawlRun run) {
        return latest(ItemEnds.key(run.crawl()), ItemEnds.class).filter(e -> e.run().equals(run));
    }

    /** The orders to move what waits in the present runs. */
    default Collection<QueueMoves> queueMoves() {
        return latest(QueueMoves.class).filter(moves -> status(moves.run()) == RunStatus.PRESENT).toList();
    }

    /** The request topics; empty until a coordinator has created them. */
    default Optional<Channels> channels() {
        return latest(Channels.KEY, Channels.class);
    }

    /** How responses are laid out; the first layout until a coordinator has created the topics. */
    default ResponseLayout responseLayout() {
        return channels().map(Channels::responseLayout).orElse(ResponseLayout.FIRST);
    }

    /** The settings of the whole deployment; empty until a leader has written them. */
    default Optional<FleetSettings> fleetSettings() {
        return latest(FleetSettings.KEY, FleetSettings.class);
    }

    /** The last time that Kafka was found to have lost records. */
    default Optional<KafkaLoss> kafkaLoss() {
        return latest(KafkaLoss.KEY, KafkaLoss.class);
    }

    private <T extends ControlRecord> Optional<T> latest(String key, Class<T> type) {
        return latest(key).filter(type::isInstance).map(type::cast);
    }

    private <T extends ControlRecord> Stream<T> latest(Class<T> type) {
        return latest().stream().filter(type::isInstance).map(type::cast);
    }

    /**
     * Blocks until this process has read the topic up to the high-water mark at the time of the call.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    void refresh() throws InterruptedException;

    /**
     * The same for a caller who does not wait for ever.
     *
     * @return false if the time is over before: Kafka does not answer
     */
    default boolean refresh(Duration longest) throws InterruptedException {
        refresh();
        return true;
    }

    /** Grows with each record that is read. */
    long changes();

    /**
     * Waits until {@link #changes} is not this number any more, at most so long.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    void await(long changes, Duration longest) throws InterruptedException;

    /**
     * Whether no crawl fetches, or is about to: the other topics get only what comes late, and a record comes here
     * before there is more.
     */
    default boolean rests() {
        return latest(CrawlStatus.class).map(CrawlStatus::state).noneMatch(state -> state.fetches() || state.passing());
    }

    /**
     * Calls the listener for every valid record, including those read before, one call at a time; the listener must not
     * block.
     */
    void listen(Consumer<ControlRecord> listener);

    /**
     * Whether requests of this run may be fetched now: the crawl is started, the run is the current one, and no stop
     * sign is in force.
     */
    default boolean fetches(CrawlRun run) {
        return crawl(run.crawl()).filter(c -> c.run().equals(run) && c.state().fetches()).isPresent()
                && stopSign(run.crawl()).isEmpty();
    }

    /** Whether the run is the crawl's current one, an older one, or not known here (yet). */
    default RunStatus status(CrawlRun run) {
        Optional<CrawlStatus> crawl = crawl(run.crawl());
        if (crawl.isEmpty()) {
            return deleted(run.crawl()).filter(d -> run.epoch() <= d.run().epoch()).isPresent()
                    ? RunStatus.OVER
                    : RunStatus.UNKNOWN;
        }
        int known = crawl.get().run().epoch();
        if (run.epoch() > known) {
            return RunStatus.UNKNOWN;
        }
        return run.epoch() < known || crawl.get().forgottenAt().isPresent() ? RunStatus.OVER : RunStatus.PRESENT;
    }

    /** The status of a run in this view. */
    enum RunStatus {
        /** The crawl's current run. */
        PRESENT,
        /** A newer run has replaced it, the crawl was deleted, or its facts are given up: drop its records. */
        OVER,
        /** Not known: refresh, then decide. */
        UNKNOWN
    }

    /** Whether a run accepts the domains of its seeds, too. */
    default boolean acceptsSeeds(CrawlRun run) {
        return crawl(run.crawl()).filter(c -> c.run().equals(run) && c.definition().scope().ofSeeds()).isPresent();
    }

    /** The domains that a run accepts, as a set. */
    default Set<String> acceptedDomains(CrawlRun run) {
        return domains(run).domains();
    }

    /**
     * A copy of the accepted domains of runs, for lookups that do not wait for {@code control}. Thread-safe; calls
     * block and throw {@link io.trawl.ledger.LedgerUnavailableException}.
     */
    interface DomainMirror {
        /**
         * Replaces the copy as a whole, unless it is as new or newer. The leader calls this after it has committed the
         * record, and for all known runs when its term begins. Losing the copy does no harm.
         */
        void write(Domains domains);
    }
}
