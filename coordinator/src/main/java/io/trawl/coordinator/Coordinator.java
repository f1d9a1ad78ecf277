package io.trawl.coordinator;

import io.micrometer.core.instrument.Gauge;
import io.trawl.admission.Admission;
import io.trawl.channel.Backlogs;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.Topics;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.api.ApiEndpoint;
import io.trawl.coordinator.api.Desks;
import io.trawl.coordinator.lifecycle.Book;
import io.trawl.coordinator.lifecycle.Progress;
import io.trawl.coordinator.queue.QueueRefusals;
import io.trawl.coordinator.queue.QueueWatch;
import io.trawl.coordinator.summary.Tally;
import io.trawl.coordinator.webhook.Webhooks;
import io.trawl.model.ModuleKind;
import io.trawl.time.Time;
import io.trawl.worker.DealtByTurns;
import io.trawl.worker.Endpoint;
import io.trawl.settings.Settings;
import io.trawl.worker.Stage;
import io.trawl.worker.StageFactory;
import io.trawl.worker.WorkerContext;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The stage that drives crawls: leads or follows, adds up the ledger, and answers people. */
public final class Coordinator implements Stage {
    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);
    private final CoordinatorParts parts;
    private final Leadership leadership;
    private final LiveCrawls crawls;
    private final WorkerPorts workers;
    private final Desks desks;
    private final DealtByTurns dealt;
    private final LiveTails tails;
    private final LossWatch losses;

    private Coordinator(WorkerContext context) {
        Tally tally = new Tally(() -> context.kafka().reader("tally-" + context.mid()), context.topics().ledger(),
                context.time(), context.failures());
        Book book = new Book(context.control());
        QueueWatch queue = new QueueWatch(new Backlogs(context.kafka().admin()), context.topics(), book::channels, context.time(),
                context.meters());
        this.parts = new CoordinatorParts(context, book, new Progress(context.kafka().admin()), tally, queue,
                new QueueRefusals(context.meters()),
                new Admission(context.settings().analyzer().urlLength()), new SecureRandom()::nextLong,
                new Webhooks(context, book::crawl));
        this.leadership = new Leadership(parts);
        this.crawls = new LiveCrawls(parts, leadership);
        LeaderSeat seat = new LeaderSeat(context, leadership);
        this.workers = WorkerPorts.open(context);
        this.tails = new LiveTails(context);
        this.desks = new Desks(seat, crawls, new LiveFleet(parts, seat, crawls, workers.calls()),
                new LiveStopSigns(parts, leadership), new LiveDomains(parts, leadership),
                tails, tails, workers.previews(parts), workers.explanations(parts));
        this.dealt = new DealtByTurns(context.control(), leadership::turns);
        this.losses = new LossWatch(context, context.pulse(),
                () -> book.crawls().stream().anyMatch(c -> c.startedAt().isPresent()),
                leadership::leading);
        Gauge.builder("trawl.coordinator.leading", leadership, l -> l.leading() ? 1 : 0)
                .description("1 while this coordinator leads")
                .register(context.meters());
        Gauge.builder("trawl.coordinator.urls", tally, Tally::urls).description("URLs that the ledger knows")
                .register(context.meters());
        for (CrawlState state : CrawlState.values()) {
            Gauge.builder("trawl.coordinator.crawls", book, b -> b.crawls().stream().filter(c -> c.state() == state).count())
                    .description("Crawls by state").tag("state", state.name()).register(context.meters());
        }
    }

    /** Makes the stage, the topics before it, and its endpoint. */
    public static StageFactory factory() {
        return new Factory();
    }

    @Override
    public void start() {
        parts.tally().start();
        parts.queue().start();
        tails.start();
        losses.start();
        leadership.start();
    }

    @Override
    public String state() {
        return leadership.state();
    }

    @Override
    public Map<String, Object> extra() {
        Map<String, Object> extra = new TreeMap<>();
        extra.put("leading", leadership.leading());
        losses.latest().ifPresent(at -> extra.put("redisLostDataAt", at.toString()));
        extra.put("crawls", parts.book().crawls().stream()
                .collect(Collectors.groupingBy(CrawlStatus::state, TreeMap::new, Collectors.counting())));
        return extra;
    }

    /** Seeds are admitted whatever sign stands: they wait like all requests. */
    @Override
    public Map<String, Long> deals() {
        return dealt.deals();
    }

    @Override
    public void stop(Duration grace) {
        leadership.stop(grace);
        crawls.close();
        tails.close();
        workers.close();
        losses.close();
        parts.queue().close();
        parts.tally().close();
        parts.progress().close();
    }

    /** Holds the endpoint between its making and the stage's. */
    private static final class Factory implements StageFactory {
        private static final Duration AGAIN = Duration.ofSeconds(1);
        private @Nullable ApiEndpoint api;

        @Override
        public ModuleKind kind() {
            return ModuleKind.COORDINATOR;
        }

        @Override
        public Endpoint endpoint(Settings settings) {
            ApiEndpoint made = new ApiEndpoint(settings);
            api = made;
            return made;
        }

        @Override
        public void prepare(Settings settings, Topics topics, KafkaClients kafka, Time time) {
            try (Admin admin = kafka.admin()) {
                TopicMaker maker = new TopicMaker(settings, topics, admin, time);
                String said = "";
                for (Optional<String> obstacle = obstacle(maker); obstacle.isPresent(); obstacle = obstacle(maker)) {
                    if (!obstacle.get().equals(said)) {
                        said = obstacle.get();
                        LOG.warn("topics cannot be made yet, trying again every {} s: {}", AGAIN.toSeconds(), said);
                    }
                    time.pause(AGAIN);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptException(e);
            }
        }

        /** What keeps the topics from being made now, if it may pass: a broker that is still starting, or fewer of them than there are copies. */
        private static Optional<String> obstacle(TopicMaker maker) throws InterruptedException {
            try {
                maker.prepare();
                return Optional.empty();
            } catch (AuthenticationException | AuthorizationException | UnsupportedVersionException | InterruptException e) {
                throw e;
            } catch (KafkaException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }

        @Override
        public Stage create(WorkerContext context) {
            Coordinator coordinator = new Coordinator(context);
            ApiEndpoint made = api;
            if (made != null) {
                made.open(coordinator.desks);
            }
            return coordinator;
        }
    }
}
