package io.trawl.control;

import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What this process has read of {@code control}. Reading is thread-safe and never blocks, except for {@link #refresh()}. What is shown is true but may
 * be late: before refusing something unknown, refresh.
 */
public interface ControlView {
    /** The latest record of a key, unless it was removed. */
    Optional<ControlRecord> latest(String key);

    /** The latest records of all keys. */
    Collection<ControlRecord> latest();

    /** The status of a crawl, if it is known. */
    default Optional<CrawlStatus> crawl(CrawlId crawl) {
        return latest(CrawlStatus.key(crawl), CrawlStatus.class);
    }

    /** All known crawls. */
    default Collection<CrawlStatus> crawls() {
        return latest(CrawlStatus.class);
    }

    /** What is left of a crawl that was deleted, unless there is one of that id again. */
    default Optional<Deleted> deleted(CrawlId crawl) {
        return latest(CrawlStatus.key(crawl), Deleted.class);
    }

    /** The accepted domains of a run; version 0 and no domains if none are known. */
    default Domains domains(CrawlRun run) {
        return latest(Domains.key(run.crawl()), Domains.class).filter(d -> d.run().equals(run))
                .orElse(new Domains(run, 0, Set.of()));
    }

    /** The stop sign that holds for a crawl: its own or the fleet's. */
    default Optional<StopSign> stopSign(CrawlId crawl) {
        return Stream.of(Optional.of(crawl), Optional.<CrawlId>empty())
                .flatMap(scope -> latest(StopSign.key(scope), StopSign.class).stream()).filter(StopSign::signed).findFirst();
    }

    /** The latest stop signs of all scopes, standing or reset. */
    default Collection<StopSign> stopSigns() {
        return latest(StopSign.class);
    }

    /** The noted ends of {@code items} of a run. */
    default Optional<ItemEnds> itemEnds(CrawlRun run) {
        return latest(ItemEnds.key(run.crawl()), ItemEnds.class).filter(e -> e.run().equals(run));
    }

    /** The request topics; empty until a coordinator has made them. */
    default Optional<Channels> channels() {
        return latest(Channels.KEY, Channels.class);
    }

    private <T extends ControlRecord> Optional<T> latest(String key, Class<T> type) {
        return latest(key).filter(type::isInstance).map(type::cast);
    }

    private <T extends ControlRecord> Collection<T> latest(Class<T> type) {
        return latest().stream().filter(type::isInstance).map(type::cast).toList();
    }

    /**
     * Blocks until everything is read that stood in the topic when it was called, up to its high-water mark.
     *
     * @throws InterruptedException if the thread was interrupted
     */
    void refresh() throws InterruptedException;

    /** Calls back for every record that holds, those read before included, one call at a time; must not block. */
    void listen(Consumer<ControlRecord> listener);

    /** Whether requests of this run may be fetched now: the crawl is started, the run is its present one, and no stop sign stands. */
    default boolean fetches(CrawlRun run) {
        return crawl(run.crawl()).filter(c -> c.run().equals(run) && c.state().fetches()).isPresent()
                && stopSign(run.crawl()).isEmpty();
    }

    /** Whether the run is that of the crawl's present definition, an older one, or one that is not known here (yet). */
    default Standing standing(CrawlRun run) {
        Optional<CrawlStatus> crawl = crawl(run.crawl());
        if (crawl.isEmpty()) {
            return deleted(run.crawl()).filter(d -> run.epoch() <= d.run().epoch()).isPresent()
                    ? Standing.OVER
                    : Standing.UNKNOWN;
        }
        int known = crawl.get().run().epoch();
        return run.epoch() == known ? Standing.PRESENT : run.epoch() < known ? Standing.OVER : Standing.UNKNOWN;
    }

    /** How a run stands to what is known. */
    enum Standing {
        /** It is the crawl's run. */
        PRESENT,
        /** A newer run has replaced it, or the crawl was deleted: drop what belongs to it. */
        OVER,
        /** Not known: refresh, then decide. */
        UNKNOWN
    }

    /** The domains that a run accepts, as a set. */
    default Set<String> acceptedDomains(CrawlRun run) {
        return domains(run).domains();
    }
}
