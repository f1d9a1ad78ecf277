package io.trawl.pipeline.manifest;

import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlView;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.CrawlRun;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.StorageException;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives each finished run its manifest, and deletes the runs that it replaces. When {@code control} says that a run is
 * finished, all its files have their final names, since the leader waits for that (docs/protocol.md, Finished). One
 * pipeline writes: the owner of a partition of {@code items} that the run chooses. Owns a thread of its own, since
 * large files take a while to read.
 */
public final class FinishedRuns {
    private static final Logger LOG = LoggerFactory.getLogger(FinishedRuns.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration RETRY = Duration.ofSeconds(10);
    /** A run that ended earlier is left as it is: its files may have been moved since. */
    private static final Duration LATEST = Duration.ofDays(7);
    private final Map<CrawlRun, Heard> heard = new ConcurrentHashMap<>();
    /** Has a permit if something was heard since the last look. */
    private final Semaphore news = new Semaphore(0);
    private final ControlView control;
    private final ManifestWriter manifests;
    private final KeptRuns keptRuns;
    private final Supplier<Set<Integer>> owned;
    private final Time time;
    private final Thread thread;

    /**
     * What {@code control} said of a run.
     *
     * @param end empty if the run goes on
     * @param refreshed the run whose pages it visits
     */
    private record Heard(Instant at, Optional<Instant> end, CrawlDefinition definition, Optional<CrawlRun> refreshed) {}

    /** @param owned the partitions of {@code items} that this process stores now */
    public FinishedRuns(ControlView control, ManifestWriter manifests, KeptRuns keptRuns, Supplier<Set<Integer>> owned,
            Time time) {
        this.control = control;
        this.manifests = manifests;
        this.keptRuns = keptRuns;
        this.owned = owned;
        this.time = time;
        this.thread = Thread.ofPlatform().daemon().name("manifests").unstarted(this::run);
    }

    /** Begins to follow {@code control}. */
    public void start() {
        control.listen(this::hear);
        thread.start();
    }

    /** Gives up what it is doing: another pipeline, or the next one, does it again. */
    public void stop() {
        thread.interrupt();
    }

    private void hear(ControlRecord record) {
        if (record instanceof CrawlStatus status) {
            Optional<Instant> end = status.whole().map(End::at);
            heard.put(status.run(), new Heard(time.now(), end, status.definition(), status.refreshed()));
            news.release();
        }
    }

    private void run() {
        try {
            while (true) {
                Duration pause = settle() ? POLL : RETRY;
                if (heard.isEmpty()) {
                    news.acquire();
                } else {
                    // The partitions that this process owns may change.
                    news.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS);
                }
                news.drainPermits();
            }
        } catch (InterruptedException e) {
            LOG.debug("no further manifests: {}", e.getMessage());
        }
    }

    /** @return false if something is to be tried again later */
    private boolean settle() {
        boolean settled = true;
        for (Map.Entry<CrawlRun, Heard> next : heard.entrySet()) {
            Heard said = next.getValue();
            if (said.end().orElse(said.at()).plus(LATEST).isBefore(time.now())) {
                heard.remove(next.getKey(), said);
            } else if (mine(next.getKey())) {
                settled &= settle(next.getKey(), said);
            }
        }
        return settled;
    }

    private boolean settle(CrawlRun run, Heard said) {
        try {
            if (said.end().isPresent()) {
                manifests.write(new EndedRun(run, said.end().get(), said.refreshed()),
                        ComparedFiles.of(said.definition()));
            } else {
                manifests.unmark(run);
            }
            keptRuns.settle(run.crawl(), said.definition().keep());
            heard.remove(run, said);
            return true;
        } catch (IOException | UncheckedIOException | StorageException e) {
            LOG.warn("the manifest of {} is not written now: {}", run, e.getMessage());
            return false;
        }
    }

    /** Whether this process owns the partition whose owner writes. A run without noted ends has no files. */
    private boolean mine(CrawlRun run) {
        return control.itemEnds(run).map(noted -> new TreeSet<>(noted.ends().keySet()).stream().toList())
                .filter(partitions -> !partitions.isEmpty())
                .filter(partitions -> owned.get()
                        .contains(partitions.get(Math.floorMod(run.toString().hashCode(), partitions.size()))))
                .isPresent();
    }
}
