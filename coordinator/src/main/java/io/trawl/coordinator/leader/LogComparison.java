package io.trawl.coordinator.leader;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.TopicNames;
import io.trawl.coordinator.lifecycle.StageProgress;
import io.trawl.store.LogEndStore.LogEnd;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Which of the records that were in Kafka's logs at an earlier look are there still. Calls block, and throw
 * {@link org.apache.kafka.common.KafkaException} or {@link io.trawl.ledger.LedgerUnavailableException} if a server does
 * not answer. Confined to one thread at a time.
 */
record LogComparison(WorkerContext context, StageProgress progress) {
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final long BEYOND_ALL_LOGS = Long.MAX_VALUE / 2;

    /**
     * Where the records of before end in a log, and where they ended when the leader looked last.
     *
     * @param remade whether the log is that of another topic by the name: it has lost what was written after that look,
     * too, so that it is a loss even if the log was empty then
     */
    record Kept(long end, long noted, boolean remade) {
        /** Somewhere below what was handled; a log may have grown since. */
        static Kept unknown(long handled) {
            return new Kept(0, handled, false);
        }

        boolean less() {
            return remade || end < noted;
        }

        String text() {
            return remade
                    ? ", whose topic was made again"
                    : (end == 0 ? " from an unknown offset" : " from offset " + end) + " to " + noted;
        }
    }

    /**
     * Where the logs end that are shorter, or belong to a topic that was made again, and where the records end that the
     * leaders of before had written in the logs that have another leader now. Such a log may be as long as before and
     * hold other records; if another one is shorter, it may also have lost some that were written after the last look.
     * Of logs that were never looked at, and of those that a process tells of, what was handled says that there were
     * records.
     */
    Map<String, Kept> kept(Map<String, LogEnd> before, Map<String, LogEnd> now) throws InterruptedException {
        Map<String, Kept> kept = new TreeMap<>();
        Map<TopicPartition, LogEnd> doubtful = new HashMap<>();
        Set<TopicPartition> unseen = new HashSet<>();
        now.forEach((partition, end) -> {
            LogEnd earlier = before.get(partition);
            if (earlier != null && end.lostSince(earlier) < Long.MAX_VALUE) {
                kept.put(partition, new Kept(end.lostSince(earlier), earlier.offset(), end.remadeSince(earlier)));
            }
            if (earlier != null && end.lostSince(earlier) > 0 && end.epoch() != earlier.epoch()
                    && earlier.epoch() != LogEnd.NO_EPOCH) {
                doubtful.put(partition(partition), earlier);
            } else if (earlier == null) {
                unseen.add(partition(partition));
            }
        });
        if (!unseen.isEmpty()) {
            progress.handledBeyond(groups(), unseen)
                    .forEach((partition, handled) -> kept.put(partition.toString(), Kept.unknown(handled)));
        }
        if (!doubtful.isEmpty()) {
            Map<TopicPartition, Long> gone = progress.handledBeyond(groups(), doubtful.keySet());
            ends(doubtful).forEach((partition, end) -> kept.put(partition.toString(), new Kept(end,
                    Math.max(requireNonNull(doubtful.get(partition)).offset(), gone.getOrDefault(partition, 0L)),
                    false)));
        }
        context.store().logEnds().lost().forEach((partition, handled) -> kept.put(partition, Kept.unknown(handled)));
        return kept;
    }

    private List<String> groups() {
        TopicNames names = context.kafka().topics();
        return List.of(names.coordinatorGroup(), names.downloaderGroup(), names.analyzerGroup(), names.pipelineGroup());
    }

    /** The inverse of {@link TopicPartition#toString}. */
    static TopicPartition partition(String name) {
        int dash = name.lastIndexOf('-');
        return new TopicPartition(name.substring(0, dash), Integer.parseInt(name.substring(dash + 1)));
    }

    /**
     * The broker knows where the records of each epoch end; a consumer that is told the epoch of its position asks for
     * it, and moves to the first offset that differs (KIP-320).
     */
    private Map<TopicPartition, Long> ends(Map<TopicPartition, LogEnd> earlier) {
        Map<TopicPartition, Long> ends = new HashMap<>();
        try (Consumer<byte[], byte[]> reader = context.kafka().clients().seeker("log-ends-" + context.mid())) {
            reader.assign(earlier.keySet());
            // Without the present leaders, which this call waits for, the consumer would believe each position.
            reader.endOffsets(earlier.keySet(), ANSWER);
            earlier.forEach((partition, end) -> reader.seek(partition,
                    new OffsetAndMetadata(BEYOND_ALL_LOGS, Optional.of(end.epoch()), "")));
            earlier.keySet().forEach(partition -> ends.put(partition, reader.position(partition, ANSWER)));
        }
        return ends;
    }
}
