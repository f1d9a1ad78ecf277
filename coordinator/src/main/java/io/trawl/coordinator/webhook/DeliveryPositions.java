package io.trawl.coordinator.webhook;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.ledger.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/**
 * How far the events are delivered, per partition and receiver. The committed offset is that of the receiver that is
 * furthest behind; the metadata of the commit says who is behind and how far the others are, so that a receiver that
 * does not answer for a day does not make a new leader send all others that day's events again. Thread-safe.
 */
final class DeliveryPositions {
    /**
     * Brokers accept 4096 bytes of metadata; with more receivers behind, only those that are furthest behind are told.
     */
    private static final int MOST_BEHIND = 100;
    private final Map<Integer, Map<String, TreeSet<Long>>> open = new HashMap<>();
    private final Map<Integer, Long> read = new HashMap<>();
    private final Map<Integer, Progress> resumed = new HashMap<>();
    /** The id of the topic: one that is deleted and made again has another. */
    private String log = "";

    /**
     * The metadata of a commit.
     *
     * @param log in which the positions are
     * @param read the events below are delivered or dropped for all receivers but those behind
     * @param behind the positions of other receivers, by {@link #key}
     */
    private record Progress(String log, long read, Map<String, Long> behind) {
        Progress {
            log = log == null ? "" : log;
            behind = behind == null ? Map.of() : Map.copyOf(behind);
        }
    }

    /** All positions are in the log of the topic with this id. */
    synchronized void in(String topic) {
        log = topic;
    }

    /** Continues where a previous leader stopped. @return where; empty if that was in another log, or is not known */
    synchronized Optional<Long> resume(int partition, OffsetAndMetadata position) {
        try {
            Progress progress = Json.read(position.metadata().getBytes(StandardCharsets.UTF_8), Progress.class);
            if (progress.log().equals(log)) {
                resumed.put(partition, progress);
                return Optional.of(position.offset());
            }
        } catch (MalformedRecordException e) {
            // Another version wrote it: some deliveries are repeated.
        }
        return Optional.empty();
    }

    /** Whether a previous leader has delivered an event to this receiver, or dropped it. */
    synchronized boolean had(int partition, long offset, String receiver) {
        Progress progress = resumed.get(partition);
        return progress != null && offset < progress.behind().getOrDefault(key(receiver), progress.read());
    }

    /** A receiver wants an event, and has not accepted it yet. */
    synchronized void opened(int partition, long offset, String receiver) {
        open.computeIfAbsent(partition, _ -> new HashMap<>()).computeIfAbsent(receiver, _ -> new TreeSet<>())
                .add(offset);
    }

    /** An event has been read, and is open for all receivers that want it. */
    synchronized void read(int partition, long offset) {
        read.merge(partition, offset + 1, Math::max);
    }

    /** A receiver has accepted an event, or it is dropped for that receiver. */
    synchronized void closed(int partition, long offset, String receiver) {
        open.getOrDefault(partition, Map.of()).computeIfPresent(receiver, (_, offsets) -> {
            offsets.remove(offset);
            return offsets.isEmpty() ? null : offsets;
        });
    }

    /** The offset up to which a partition has been read here. */
    synchronized Optional<Long> read(int partition) {
        return Optional.ofNullable(read.get(partition));
    }

    /** The position to commit of each partition that has been read. */
    synchronized Map<Integer, OffsetAndMetadata> positions() {
        Map<Integer, OffsetAndMetadata> positions = new HashMap<>();
        read.forEach((partition, offset) -> positions.put(partition, position(partition, offset)));
        return positions;
    }

    private OffsetAndMetadata position(int partition, long upTo) {
        // While events that a previous leader had read are read again, the receivers are as far as it knew.
        Progress known = resumed.getOrDefault(partition, new Progress(log, 0, Map.of()));
        long all = Math.max(upTo, known.read());
        Map<String, Long> behind = new HashMap<>();
        known.behind().forEach((receiver, offset) -> behind.put(receiver, Math.max(offset, upTo)));
        open.getOrDefault(partition, Map.of())
                .forEach((receiver, offsets) -> behind.put(key(receiver), offsets.first()));
        List<Map.Entry<String, Long>> furthest = new ArrayList<>(behind.entrySet());
        furthest.removeIf(entry -> entry.getValue() >= all);
        furthest.sort(Map.Entry.comparingByValue());
        Map<String, Long> told = new TreeMap<>();
        furthest.stream().limit(MOST_BEHIND).forEach(entry -> told.put(entry.getKey(), entry.getValue()));
        // Receivers that are not told are taken to be as far as the first of them.
        long others = furthest.size() > MOST_BEHIND ? furthest.get(MOST_BEHIND).getValue() : all;
        long least = furthest.isEmpty() ? upTo : Math.min(upTo, furthest.getFirst().getValue());
        return new OffsetAndMetadata(least, Json.text(new Progress(log, others, told)));
    }

    /** Names a receiver without its URL, which may be a secret. */
    private static String key(String receiver) {
        return Long.toHexString(Fingerprint.of(receiver).high());
    }
}
