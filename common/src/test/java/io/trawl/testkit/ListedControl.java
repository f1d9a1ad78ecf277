package io.trawl.testkit;

import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.ItemEnds;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.control.ControlView;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A view of {@code control} of which a test says what stands in the topic and how much of it is read. The latest record of a key holds, whatever its
 * version is. Tells listeners what is read when they come, and nothing later. Not thread-safe.
 */
public final class ListedControl implements ControlView {
    private final Map<String, ControlRecord> standing = new HashMap<>();
    private final Map<String, ControlRecord> read = new HashMap<>();
    private int refreshes;

    /** It stands in the topic, and is not read before the next refresh. */
    public ListedControl stands(ControlRecord... records) {
        for (ControlRecord record : records) {
            standing.put(record.key(), record);
        }
        return this;
    }

    /** It stands in the topic and is read. */
    public ListedControl read(ControlRecord... records) {
        for (ControlRecord record : records) {
            standing.put(record.key(), record);
            read.put(record.key(), record);
        }
        return this;
    }

    /** How often the view was refreshed. */
    public int refreshes() {
        return refreshes;
    }

    @Override
    public void refresh() {
        refreshes++;
        read.putAll(standing);
    }

    @Override
    public Optional<CrawlStatus> crawl(CrawlId crawl) {
        return find(CrawlStatus.key(crawl), CrawlStatus.class);
    }

    @Override
    public Collection<CrawlStatus> crawls() {
        return all(CrawlStatus.class);
    }

    @Override
    public Optional<Deleted> deleted(CrawlId crawl) {
        return find(CrawlStatus.key(crawl), Deleted.class);
    }

    @Override
    public Domains domains(CrawlRun run) {
        return find(Domains.key(run.crawl()), Domains.class).filter(d -> d.run().equals(run))
                .orElse(new Domains(run, 0, Set.of()));
    }

    @Override
    public Optional<StopSign> stopSign(CrawlId crawl) {
        return Stream.of(Optional.of(crawl), Optional.<CrawlId>empty()).map(StopSign::key)
                .flatMap(key -> find(key, StopSign.class).stream()).filter(StopSign::signed).findFirst();
    }

    @Override
    public Collection<StopSign> stopSigns() {
        return all(StopSign.class);
    }

    @Override
    public Optional<ItemEnds> itemEnds(CrawlRun run) {
        return find(ItemEnds.key(run.crawl()), ItemEnds.class).filter(e -> e.run().equals(run));
    }

    @Override
    public Optional<Channels> channels() {
        return find(Channels.KEY, Channels.class);
    }

    @Override
    public void listen(Consumer<ControlRecord> listener) {
        read.values().forEach(listener);
    }

    private <T extends ControlRecord> List<T> all(Class<T> type) {
        return read.values().stream().filter(type::isInstance).map(type::cast).toList();
    }

    private <T extends ControlRecord> Optional<T> find(String key, Class<T> type) {
        return Optional.ofNullable(read.get(key)).filter(type::isInstance).map(type::cast);
    }
}
