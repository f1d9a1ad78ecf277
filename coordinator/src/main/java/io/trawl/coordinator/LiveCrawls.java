package io.trawl.coordinator;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlDefinition;
import io.trawl.coordinator.api.CrawlDesk;
import io.trawl.coordinator.api.CrawlSummary;
import io.trawl.coordinator.lifecycle.ChannelFull;
import io.trawl.coordinator.lifecycle.Commands;
import io.trawl.coordinator.lifecycle.InvalidDefinition;
import io.trawl.coordinator.lifecycle.Places;
import io.trawl.coordinator.lifecycle.SeedRecord;
import io.trawl.coordinator.lifecycle.WrittenDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.RefusalReason;
import io.trawl.model.Seed;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.time.Instant;
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
import org.apache.kafka.common.TopicPartition;

/** Carries out what the REST interface is asked of crawls. Thread-safe. */
final class LiveCrawls implements CrawlDesk, AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(20);
    private static final Duration SEEDS_WAIT = Duration.ofSeconds(10);
    private final CoordinatorParts parts;
    private final WorkerContext context;
    private final Leadership leadership;
    private final Producer<byte[], byte[]> seeds;

    LiveCrawls(CoordinatorParts parts, Leadership leadership) {
        this.parts = parts;
        this.context = parts.context();
        this.leadership = leadership;
        this.seeds = context.kafka().producer("seeds-" + context.mid());
    }

    @Override
    public Defined define(CrawlId crawl, WrittenDefinition written, boolean start, boolean fresh) throws InterruptedException {
        Reign reign = leadership.reign();
        Commands.Defined defined = counted(() -> {
            CrawlDefinition definition = written.complete(crawl, parts.rules(),
                    parts.book().crawl(crawl).map(CrawlStatus::definition));
            return reign.call(() -> reign.commands().define(crawl, definition, start, fresh));
        });
        defined.replaced().ifPresent(reign::over);
        return new Defined(summary(defined.status()), defined.created());
    }

    private interface Push<T> {
        T run() throws InterruptedException;
    }

    /** Counts what is refused for the sake of a channel before it comes to one (S1). */
    private <T> T counted(Push<T> push) throws InterruptedException {
        try {
            return push.run();
        } catch (ChannelFull e) {
            parts.refusals().count(RefusalReason.CHANNEL_FULL, e.wanted());
            throw e;
        } catch (InvalidDefinition e) {
            long bad = e.faults().stream().filter(f -> f.field().endsWith("priority")).count();
            parts.refusals().count(RefusalReason.PRIORITY_OUT_OF_INDEX, bad);
            throw e;
        }
    }

    @Override
    public CrawlSummary start(CrawlId crawl) throws InterruptedException {
        Reign reign = leadership.reign();
        return summary(reign.call(() -> reign.commands().start(crawl)));
    }

    @Override
    public CrawlSummary stop(CrawlId crawl) throws InterruptedException {
        Reign reign = leadership.reign();
        return summary(reign.call(() -> reign.commands().stop(crawl)));
    }

    @Override
    public void delete(CrawlId crawl) throws InterruptedException {
        Reign reign = leadership.reign();
        awaitSeeds(reign);
        reign.over(reign.call(() -> reign.commands().delete(crawl)).run());
    }

    /** What was sent to the crawl before must be judged while it is there, not when there is another one of its id. */
    private void awaitSeeds(Reign reign) throws InterruptedException {
        long end = parts.progress().ends(context.topics().seeds())
                .getOrDefault(new TopicPartition(context.topics().seeds(), 0), 0L);
        for (long since = context.time().nanos(); reign.admitted() < end; context.time().pause(LOOK)) {
            if (context.time().nanos() - since > SEEDS_WAIT.toNanos() || !leadership.leading()) {
                throw new KafkaException("seeds that were sent before are not admitted yet: nothing is deleted, try again later");
            }
        }
    }

    @Override
    public int submit(CrawlId crawl, List<Seed> wanted) throws InterruptedException {
        int priority = parts.known(crawl).definition().priority();
        return counted(() -> {
            parts.rules().check(crawl, wanted, priority);
            Optional<Places> places = leadership.leading() ? Optional.of(leadership.reign().places()) : Optional.empty();
            if (places.isEmpty()) {
                send(wanted, seed -> SeedRecord.of(context.topics(), crawl, seed), unwritten -> {});
            } else {
                places.get().keep(wanted, priority);
                send(wanted, seed -> SeedRecord.withPlace(context.topics(), crawl, seed, priority),
                        unwritten -> places.get().giveBack(unwritten, priority));
            }
            return wanted.size();
        });
    }

    /** @param failed is given those that were not acknowledged, if there are any */
    private void send(List<Seed> wanted, Function<Seed, ProducerRecord<byte[], byte[]>> record, Consumer<List<Seed>> failed)
            throws InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>(wanted.size());
        List<Seed> unwritten = new ArrayList<>();
        Optional<Throwable> trouble = Optional.empty();
        try {
            for (Seed seed : wanted) {
                sent.add(seeds.send(record.apply(seed)));
            }
        } catch (KafkaException e) {
            trouble = Optional.of(e);
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
                trouble = Optional.of(e.getCause());
            }
        }
        if (trouble.isPresent()) {
            failed.accept(unwritten);
            throw new KafkaException("not all seeds are written; sending them again does no harm: " + trouble.get().getMessage(),
                    trouble.get());
        }
    }

    @Override
    public CrawlSummary crawl(CrawlId crawl) throws InterruptedException {
        return summary(parts.known(crawl));
    }

    @Override
    public List<CrawlSummary> crawls() {
        return parts.book().crawls().stream().map(this::summary).map(CrawlSummary::brief).toList();
    }

    private CrawlSummary summary(CrawlStatus status) {
        Instant now = context.time().now();
        return CrawlSummary.of(status, parts.book().domains(status.run()).domains(), parts.tally().standing(status.run()),
                parts.tally().pace(status.run(), status.startedAt().orElse(Instant.EPOCH), now), now);
    }

    @Override
    public void close() {
        seeds.close(Duration.ofSeconds(2));
    }
}
