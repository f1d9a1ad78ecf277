package io.trawl.coordinator.leader;

import static java.util.Objects.requireNonNull;

import io.trawl.channel.KafkaClients;
import io.trawl.channel.GroupMember;
import io.trawl.channel.GroupMembership;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.WriterFencedException;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.ModuleKind;
import io.trawl.module.ReportedState;
import io.trawl.module.StageState;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.telemetry.WriteOutage;
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedAssignorException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects the leader: every coordinator joins one consumer group on {@code seeds}, which has one partition, and the
 * owner of this partition leads. With the group alone, a paused process could still believe that it leads. Therefore
 * the leader initialises the coordinators' transactional id, which fences its predecessor, and reads {@code control} to
 * its end before it decides anything. Losing the partition or the id ends the {@link LeaderTerm}; the process rejoins
 * the group and follows.
 */
public final class LeaderElection {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);
    private static final Duration POLL_PASSING = Duration.ofMillis(25);
    private static final Duration POLL_HELD = Duration.ofMillis(100);
    private static final Duration POLL_LEADING = Duration.ofMillis(500);
    private static final Duration POLL_FOLLOWING = Duration.ofMillis(200);
    /** How long a new member expects to be elected at any moment: clients wait for that. */
    private static final Duration ELECTION = Duration.ofSeconds(2);
    private static final Duration BACK_OFF = Duration.ofMillis(500);
    /** There is one partition, which is assigned once, and goes back to where it was after a failure only. */
    private static final Duration FETCH_WAIT = Duration.ofSeconds(1);
    private final CoordinatorContext parts;
    private final WorkerContext context;
    private final Time time;
    private final TopicPartition seeds;
    private final Thread thread;
    private volatile boolean stopped;
    private final ReportedState state = new ReportedState("coordinator");
    private volatile long turns;
    private volatile boolean away;
    private volatile Optional<GroupMember> member = Optional.empty();
    private volatile Optional<LeaderTerm> leaderTerm = Optional.empty();
    /** The term that begins as soon as the ledger is counted. */
    private Optional<LeaderTerm> nextTerm = Optional.empty();
    private boolean owner;
    /** Whether the position may be past the committed offset. */
    private boolean behind;
    private long joined;
    private final Object waking = new Object();
    /** Whether the thread is in a poll, which a call wakes; guarded by {@code waking}. */
    private boolean polling;
    /** The monotonic time until which seeds are paused, because Redis does not answer. */
    private Optional<Long> heldUntil = Optional.empty();

    /** Joins the group only in {@link #start}. */
    public LeaderElection(CoordinatorContext parts) {
        this.parts = parts;
        this.context = parts.context();
        this.time = context.time();
        this.seeds = new TopicPartition(context.kafka().topics().seeds(), 0);
        this.thread = Thread.ofPlatform().name("leader").unstarted(this::run);
    }

    /** Joins the group. */
    public void start() {
        thread.start();
    }

    /** Whether this coordinator leads, follows or waits. */
    public StageState state() {
        return state.now();
    }

    /** The number of completed turns: each admits the seeds of one poll and runs the queued commands. */
    public long turns() {
        return turns;
    }

    /** Whether this process leads. */
    public boolean leading() {
        return leaderTerm.isPresent();
    }

    /** The term, if this process leads. */
    Optional<LeaderTerm> current() {
        return leaderTerm;
    }

    /** @throws NotLeadingException if this process does not lead */
    public LeaderTerm term() {
        return leaderTerm.orElseThrow(NotLeadingException::new);
    }

    /** What the leader's thread does during a term. */
    @FunctionalInterface
    public interface Decision<T> {
        /** Decides, and writes what it has decided. */
        T by(LeaderTerm term) throws Exception;
    }

    /**
     * Runs a decision on the leader's thread, and waits for it; see {@link LeaderThread#ask}.
     *
     * @throws NotLeadingException if this process does not lead, or not to the end of the decision
     * @throws KafkaException if Kafka keeps the leader waiting
     */
    public <T> T decide(Decision<T> decision) throws InterruptedException {
        LeaderTerm term = term();
        return term.thread().ask(() -> decision.by(term));
    }

    private void run() {
        while (!stopped) {
            try {
                if (signed()) {
                    stayAway();
                } else {
                    away = false;
                    runAsMember();
                }
            } catch (WakeupException e) {
                LOG.debug("woken to stop");
            } catch (InterruptException | InterruptedException e) {
                stopped = true;
            } catch (WriterFencedException e) {
                LOG.warn("another coordinator leads now: {} follows", context.mid());
            } catch (AuthenticationException | AuthorizationException | UnsupportedVersionException
                    | UnsupportedAssignorException e) {
                context.failures().fatal("Kafka refuses this coordinator", e);
                stopped = true;
            } catch (KafkaException e) {
                trouble(new WaitingFor(Dependency.KAFKA, e));
            } catch (LedgerUnavailableException e) {
                trouble(new HoldingFor(HoldReason.REDIS, e));
            } catch (RuntimeException e) {
                LOG.error("rejoining the group after an error", e);
                trouble(new WaitingFor(Dependency.RETRY, e));
            }
        }
        state.is(Phase.STOPPED);
    }

    /**
     * Whether the stop sign of this coordinator is in force: only while another one may lead, since the leader alone
     * resets signs.
     */
    private boolean signed() {
        return context.control().stopped(context.mid()) && context.store().registrar().all(ModuleKind.COORDINATOR)
                .stream().anyMatch(other -> !context.control().stopped(other.mid()));
    }

    /** Whether it has left its group, for a stop sign. */
    public boolean away() {
        return away;
    }

    private void stayAway() throws InterruptedException {
        away = true;
        turns = turns + 1;
        state.is(new HoldingFor(HoldReason.STOP_SIGN));
        time.pause(POLL_FOLLOWING);
    }

    private void trouble(StageState trouble) {
        state.is(trouble);
        try {
            time.pause(BACK_OFF);
        } catch (InterruptedException interrupted) {
            stopped = true;
        }
    }

    private void runAsMember() throws InterruptedException {
        Consumer<byte[], byte[]> consumer = context.kafka().clients()
                .groupConsumer(context.kafka().topics().coordinatorGroup(), context.mid().toString(), 500, FETCH_WAIT);
        GroupMember joining = new GroupMember(consumer, List.of(seeds.topic()), context.control(), time);
        try {
            member = Optional.of(joining);
            owner = false;
            behind = false;
            joined = time.nanos();
            heldUntil = Optional.empty();
            joining.join(new Ownership());
            while (!stopped && !signed()) {
                serve(joining);
                turns = turns + 1;
            }
        } finally {
            member = Optional.empty();
            stepDown();
            // A stop may have interrupted this thread; the flag would prevent an orderly close.
            boolean interrupted = Thread.interrupted();
            consumer.close(CloseOptions.timeout(Duration.ofSeconds(5)));
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Elections and moves that have failed wait for the end of a poll; a call wakes it. */
    private Duration pollTime() {
        if (!leading()) {
            return owner || time.nanos() - joined < ELECTION.toNanos() ? POLL_PASSING : POLL_FOLLOWING;
        }
        if (leaderTerm.filter(term -> term.thread().called()).isPresent()) {
            return Duration.ZERO;
        }
        if (parts.controlState().crawls().stream().anyMatch(crawl -> crawl.state().passing())) {
            return POLL_PASSING;
        }
        return heldUntil.isPresent() ? POLL_HELD : POLL_LEADING;
    }

    /** Ends a poll of this process that is under way, as soon as a call is queued. */
    private void wake() {
        synchronized (waking) {
            if (polling) {
                polling = false;
                member.ifPresent(candidate -> candidate.consumer().wakeup());
            }
        }
    }

    private void polling(boolean now) {
        synchronized (waking) {
            polling = now;
        }
    }

    /**
     * Polls until a call is queued. If that comes when the poll has just ended, the next call of the consumer that
     * waits is woken in its place.
     */
    private Optional<ConsumerRecords<byte[], byte[]>> poll(GroupMember candidate) {
        polling(true);
        try {
            return candidate.pollFor(pollTime());
        } catch (WakeupException e) {
            if (stopped) {
                throw e;
            }
            return Optional.of(ConsumerRecords.empty());
        } finally {
            polling(false);
        }
    }

    private void serve(GroupMember candidate) throws InterruptedException {
        Consumer<byte[], byte[]> consumer = candidate.consumer();
        Optional<ConsumerRecords<byte[], byte[]>> polled;
        try {
            polled = poll(candidate);
        } catch (TimeoutException e) {
            // The offsets of a leader that was killed in a transaction are not stable yet.
            LOG.debug("poll: {}", e.getMessage());
            return;
        }
        ConsumerGroupMetadata group = consumer.groupMetadata();
        if (polled.isPresent()) {
            moveStraySeeds(consumer, polled.get());
        }
        if (leaderTerm.isEmpty() && !owner) {
            state.is(Phase.FOLLOWING);
        }
        if (!owner || polled.isEmpty()) {
            // There is one partition, so a poll without a result means that it is lost.
            return;
        }
        if (leaderTerm.isEmpty()) {
            takeOver(candidate);
            return;
        }
        LeaderTerm now = leaderTerm.get();
        admit(candidate, now, polled.get(), group);
        now.turn();
    }

    /**
     * Another program wrote seeds to partitions that an operator has added: they go to the first one, in which the
     * leader admits seeds. One that is written twice, since its move was not committed, is admitted once.
     */
    private void moveStraySeeds(Consumer<byte[], byte[]> consumer, ConsumerRecords<byte[], byte[]> polled) {
        Map<TopicPartition, OffsetAndMetadata> strays = new HashMap<>(polled.nextOffsets());
        strays.remove(seeds);
        if (strays.isEmpty()) {
            return;
        }
        try (Producer<byte[], byte[]> producer = context.kafka().clients().producer("stray-seeds-" + context.mid())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            strays.keySet()
                    .forEach(partition -> polled.records(partition).forEach(
                            seed -> sent.add(KafkaClients.taken(producer.send(new ProducerRecord<>(seeds.topic(),
                                    seeds.partition(), seed.key(), seed.value(), seed.headers()))))));
            for (Future<RecordMetadata> acknowledged : sent) {
                acknowledged.get();
            }
            LOG.warn("{} seeds were in partitions beyond the first of {}: they are moved there", sent.size(),
                    seeds.topic());
        } catch (ExecutionException e) {
            throw new KafkaException("seeds of an added partition cannot be moved", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptException(e);
        }
        consumer.commitSync(strays, GroupMembership.ANSWER);
    }

    /**
     * Leads as soon as all that previous leaders and the stages have written to the ledger is counted, so that no
     * decision is based on incomplete totals. Rewinds the seeds that were polled before: the previous leader may have
     * committed them meanwhile.
     */
    private void takeOver(GroupMember candidate) throws InterruptedException {
        LeaderTerm next;
        if (nextTerm.isPresent()) {
            next = nextTerm.get();
        } else {
            state.is(Phase.TAKING_OVER);
            next = nextTerm();
            nextTerm = Optional.of(next);
        }
        if (parts.tally().counting().isPresent()) {
            return;
        }
        rewind(candidate);
        if (behind) {
            return;
        }
        next.progress().admittedBelow(candidate.consumer().position(seeds, GroupMembership.ANSWER));
        leaderTerm = nextTerm;
        nextTerm = Optional.empty();
        state.is(Phase.LEADING);
    }

    private LeaderTerm nextTerm() throws InterruptedException {
        AtomicBoolean used = new AtomicBoolean();
        TransactionalWriter writer = new TransactionalWriter(() -> {
            // A second producer would fence a successor that this process does not know of yet.
            if (used.getAndSet(true)) {
                throw new WriterFencedException("the producer failed: the term ends",
                        new IllegalStateException("one producer per term"));
            }
            return context.kafka().clients().transactionalProducer(context.kafka().topics().coordinatorTransactions());
        }, context.kafka().positions(), new WriteOutage(context.settings().lease(), time), time);
        return LeaderTerm.begin(parts, writer, this::wake);
    }

    private void admit(GroupMember candidate, LeaderTerm now, ConsumerRecords<byte[], byte[]> polled,
            ConsumerGroupMetadata group) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>(polled.nextOffsets());
        offsets.keySet().retainAll(List.of(seeds));
        if (behind) {
            // The polled seeds follow some that are not admitted: they are polled again.
            rewind(candidate);
        } else if (!offsets.isEmpty()) {
            List<ConsumerRecord<byte[], byte[]>> batch = polled.records(seeds);
            try {
                if (now.intake().admit(batch, offsets, group)) {
                    now.progress().admittedBelow(requireNonNull(offsets.get(seeds)).offset());
                } else {
                    rewind(candidate);
                }
            } catch (LedgerUnavailableException | RetriableException e) {
                LOG.warn("pausing the seeds: {}", e.getMessage());
                rewind(candidate);
                candidate.hold(true);
                heldUntil = Optional.of(time.nanos() + BACK_OFF.toNanos());
            }
        } else if (heldUntil.filter(until -> time.nanos() - until >= 0).isPresent()) {
            candidate.hold(false);
            heldUntil = Optional.empty();
        }
    }

    /**
     * Seeks to the committed offset; if that is not known now, nothing is admitted until a later rewind has found it.
     */
    private void rewind(GroupMember candidate) {
        behind = true;
        try {
            candidate.seekCommitted(List.of(seeds), context.kafka().positions()::of);
            candidate.consumer().position(seeds, GroupMembership.ANSWER);
            behind = false;
        } catch (TimeoutException | WakeupException e) {
            LOG.debug("rewind: {}", e.getMessage());
        }
    }

    private void stepDown() {
        nextTerm.ifPresent(LeaderTerm::close);
        nextTerm = Optional.empty();
        leaderTerm.ifPresent(over -> {
            LOG.info("{} no longer leads", context.mid());
            leaderTerm = Optional.empty();
            over.close();
            state.is(Phase.FOLLOWING);
        });
    }

    /** Leaves the group and ends the term; another coordinator takes over at once. */
    public void stop(Duration grace) {
        stopped = true;
        member.ifPresent(candidate -> candidate.consumer().wakeup());
        try {
            if (!thread.join(grace)) {
                thread.interrupt();
                thread.join(Duration.ofSeconds(1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Called within poll, and when the consumer leaves the group. */
    private final class Ownership implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            owner |= partitions.contains(seeds);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            if (partitions.contains(seeds)) {
                owner = false;
                stepDown();
            }
        }
    }
}
