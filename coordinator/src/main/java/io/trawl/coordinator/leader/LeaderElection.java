package io.trawl.coordinator.leader;

import io.trawl.channel.WriterFencedException;
import io.trawl.channel.offset.Standstill;
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
import io.trawl.time.Time;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
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
    private final CoordinatorContext parts;
    private final WorkerContext context;
    private final Time time;
    private final Thread thread;
    private volatile boolean stopped;
    private final ReportedState state = new ReportedState("coordinator");
    private final Standstill standstill;
    private volatile long turns;
    private volatile boolean away;
    private volatile Optional<SeedReader> reading = Optional.empty();
    private volatile Optional<LeaderTerm> leaderTerm = Optional.empty();
    /** The term that begins as soon as the ledger is counted. */
    private Optional<LeaderTerm> nextTerm = Optional.empty();
    private long joined;

    /** Joins the group only in {@link #start}. */
    public LeaderElection(CoordinatorContext parts) {
        this.parts = parts;
        this.context = parts.context();
        this.time = context.time();
        this.standstill = new Standstill(time);
        this.thread = Thread.ofPlatform().name("leader").unstarted(this::run);
    }

    /** Joins the group. */
    public void start() {
        thread.start();
    }

    /** Whether this coordinator leads, follows or waits, also while it hangs in a call. */
    public StageState state() {
        return standstill.of(state.now());
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
    public Optional<LeaderTerm> current() {
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
            standstill.progress();
            try {
                if (signed()) {
                    stayAway(new HoldingFor(HoldReason.STOP_SIGN));
                } else if (context.kafka().writes().yields()) {
                    stayAway(
                            new WaitingFor(Dependency.KAFKA, Optional.of("it could not write, and another one leads")));
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

    /** Whether it has left its group. */
    public boolean away() {
        return away;
    }

    private void stayAway(StageState why) throws InterruptedException {
        away = true;
        turns = turns + 1;
        state.is(why);
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
        SeedReader joining = new SeedReader(context);
        try {
            reading = Optional.of(joining);
            joined = time.nanos();
            joining.join(this::stepDown);
            while (!stopped && !signed() && !context.kafka().writes().yields()) {
                serve(joining);
                turns = turns + 1;
            }
        } finally {
            reading = Optional.empty();
            stepDown();
            joining.close();
        }
    }

    /** Elections and moves that have failed wait for the end of a poll; a call wakes it. */
    private Duration pollTime(SeedReader reader) {
        if (!leading()) {
            return reader.owner() || time.nanos() - joined < ELECTION.toNanos() ? POLL_PASSING : POLL_FOLLOWING;
        }
        if (leaderTerm.filter(term -> term.thread().called()).isPresent()) {
            return Duration.ZERO;
        }
        if (parts.controlState().crawls().stream().anyMatch(crawl -> crawl.state().passing())) {
            return POLL_PASSING;
        }
        return reader.held() ? POLL_HELD : POLL_LEADING;
    }

    private void serve(SeedReader reader) throws InterruptedException {
        Optional<ConsumerRecords<byte[], byte[]>> polled;
        try {
            polled = reader.poll(() -> pollTime(reader));
        } catch (WakeupException e) {
            if (stopped) {
                throw e;
            }
            polled = Optional.of(ConsumerRecords.empty());
        } catch (TimeoutException e) {
            // The offsets of a leader that was killed in a transaction are not stable yet.
            LOG.debug("poll: {}", e.getMessage());
            return;
        }
        ConsumerGroupMetadata group = reader.group();
        polled.ifPresent(reader::moveStraySeeds);
        if (leaderTerm.isEmpty() && !reader.owner()) {
            state.is(Phase.FOLLOWING);
            reader.makeAgain();
        }
        if (leaderTerm.isEmpty() || !reader.owner() || polled.isEmpty()) {
            // There is one partition, so a poll without a result means that it is lost.
            if (reader.owner() && polled.isPresent()) {
                takeOver(reader);
            }
            standstill.progress();
            return;
        }
        LeaderTerm now = leaderTerm.get();
        reader.admit(now, polled.get(), group);
        now.turn();
        reader.handled(standstill, polled.get());
        state.is(now.writer().state());
    }

    /**
     * Leads as soon as all that previous leaders and the stages have written to the ledger is counted, so that no
     * decision is based on incomplete totals. Rewinds the seeds that were polled before: the previous leader may have
     * committed them meanwhile.
     */
    private void takeOver(SeedReader reader) throws InterruptedException {
        if (nextTerm.isEmpty()) {
            state.is(Phase.TAKING_OVER);
            nextTerm = Optional.of(LeaderTerm.begin(parts, reader::wake));
        }
        LeaderTerm next = nextTerm.orElseThrow();
        OptionalLong committed = parts.tally().counting().isPresent() ? OptionalLong.empty() : reader.rewind();
        if (committed.isPresent()) {
            next.progress().admittedBelow(committed.getAsLong());
            leaderTerm = nextTerm;
            nextTerm = Optional.empty();
            state.is(Phase.LEADING);
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
        reading.ifPresent(SeedReader::interrupt);
        try {
            if (!thread.join(grace)) {
                thread.interrupt();
                thread.join(Duration.ofSeconds(1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
