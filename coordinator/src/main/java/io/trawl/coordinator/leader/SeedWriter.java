package io.trawl.coordinator.leader;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.KafkaClients;
import io.trawl.coordinator.lifecycle.SeedRecord;
import io.trawl.coordinator.lifecycle.SeedSubmission;
import io.trawl.coordinator.queue.Capacity;
import io.trawl.model.CrawlId;
import io.trawl.model.Seed;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;

/**
 * Writes submitted seeds to the {@code seeds} topic. Thread-safe; calls block until the broker has acknowledged every
 * seed.
 */
final class SeedWriter implements AutoCloseable {
    private final WorkerContext context;
    private final Producer<byte[], byte[]> seeds;

    SeedWriter(WorkerContext context) {
        this.context = context;
        this.seeds = context.kafka().clients().producer("seeds-" + context.mid());
    }

    /** Writes seeds without places. */
    void write(CrawlId crawl, List<Seed> wanted) throws InterruptedException {
        send(wanted, seed -> SeedRecord.of(context.kafka().topics(), crawl, seed), unwritten -> {});
    }

    /**
     * Reserves a place for each seed and writes the seeds; the places of seeds that are not written are released.
     *
     * @throws io.trawl.coordinator.queue.ChannelFullException if there are not enough places; none is written
     */
    void write(CrawlId crawl, List<Seed> wanted, int priority, Capacity capacity, Optional<SeedSubmission> submission)
            throws InterruptedException {
        capacity.reserve(wanted, priority);
        send(wanted, seed -> SeedRecord.withPlace(context.kafka().topics(), crawl, seed, priority, submission),
                unwritten -> capacity.release(unwritten, priority));
    }

    /** @param failed receives the seeds that were not acknowledged, if there are any */
    private void send(List<Seed> wanted, Function<Seed, ProducerRecord<byte[], byte[]>> record,
            Consumer<List<Seed>> failed) throws InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>(wanted.size());
        List<Seed> unwritten = new ArrayList<>();
        Optional<Throwable> failure = Optional.empty();
        try {
            for (Seed seed : wanted) {
                sent.add(KafkaClients.taken(seeds.send(record.apply(seed))));
            }
        } catch (KafkaException e) {
            failure = Optional.of(e);
        }
        for (int i = 0; i < wanted.size(); i++) {
            try {
                if (i < sent.size()) {
                    sent.get(i).get();
                } else {
                    unwritten.add(wanted.get(i));
                }
            } catch (ExecutionException e) {
                unwritten.add(wanted.get(i));
                failure = Optional.of(requireNonNull(e.getCause()));
            }
        }
        if (failure.isPresent()) {
            failed.accept(unwritten);
            throw new KafkaException(
                    "not all seeds are written; it is safe to submit them again: " + failure.get().getMessage(),
                    failure.get());
        }
    }

    @Override
    public void close() {
        seeds.close(Duration.ofSeconds(2));
    }
}
