package io.trawl.coordinator.lifecycle;

import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.control.ControlView;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * What {@code control} says, without the delay of reading back what this process itself has just committed: the leader, who alone writes, decides by
 * this. Thread-safe; never blocks.
 */
public final class Book {
    private final Map<String, ControlRecord> latest = new ConcurrentHashMap<>();

    /** Follows what is read of the topic. */
    public Book(ControlView control) {
        control.listen(this::enter);
    }

    /** Enters a record that is committed; one that is not newer than what is known changes nothing. */
    public void enter(ControlRecord committed) {
        latest.merge(committed.key(), committed, (known, next) -> next.version() > known.version() ? next : known);
        if (committed instanceof Deleted deleted) {
            // The leader may have begun a later crawl of that id before it reads this back.
            deleted.keys().forEach(key -> latest.computeIfPresent(key, (k, known) -> deleted.ends(known) ? null : known));
        }
    }

    /** The version that the next record of a key gets. */
    public long nextVersion(String key) {
        return Optional.ofNullable(latest.get(key)).map(ControlRecord::version).orElse(0L) + 1;
    }

    /** The status of a crawl. */
    public Optional<CrawlStatus> crawl(CrawlId crawl) {
        return find(CrawlStatus.key(crawl), CrawlStatus.class);
    }

    /** All crawls, in the order of their ids. */
    public List<CrawlStatus> crawls() {
        return latest.values().stream().filter(CrawlStatus.class::isInstance).map(CrawlStatus.class::cast)
                .sorted((a, b) -> a.run().crawl().compareTo(b.run().crawl())).toList();
    }

    /** What is left of a crawl that was deleted, unless there is one of that id again. */
    public Optional<Deleted> deleted(CrawlId crawl) {
        return find(CrawlStatus.key(crawl), Deleted.class);
    }

    /** The last run that is over of every crawl that has one: all before it are over, too. */
    public List<CrawlRun> past() {
        return latest.values().stream().flatMap(record -> switch (record) {
            case CrawlStatus status when status.run().epoch() > 1 ->
                Stream.of(new CrawlRun(status.run().crawl(), status.run().epoch() - 1));
            case Deleted deleted -> Stream.of(deleted.run());
            default -> Stream.empty();
        }).toList();
    }

    /** The accepted domains of a run; version 0 and none if none are known. */
    public Domains domains(CrawlRun run) {
        return find(Domains.key(run.crawl()), Domains.class).filter(d -> d.run().equals(run))
                .orElse(new Domains(run, 0, Set.of()));
    }

    /** The stop sign of a crawl or of the fleet, standing or reset. */
    public Optional<StopSign> stopSign(Optional<CrawlId> crawl) {
        return find(StopSign.key(crawl), StopSign.class);
    }

    /** All stop signs that were ever signed, in the order of their keys: that of the fleet first. */
    public List<StopSign> stopSigns() {
        return latest.values().stream().filter(StopSign.class::isInstance).map(StopSign.class::cast)
                .sorted(Comparator.comparing(StopSign::key)).toList();
    }

    /** The request topics. */
    public Optional<Channels> channels() {
        return find(Channels.KEY, Channels.class);
    }

    private <T extends ControlRecord> Optional<T> find(String key, Class<T> type) {
        return Optional.ofNullable(latest.get(key)).filter(type::isInstance).map(type::cast);
    }
}
