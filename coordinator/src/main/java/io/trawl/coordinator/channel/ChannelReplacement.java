package io.trawl.coordinator.channel;

import io.trawl.channel.TopicSpec;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.WriterFencedException;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.control.Channels;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.coordinator.lifecycle.ControlWriter.ControlNotWrittenException;
import io.trawl.coordinator.lifecycle.LeaderThread;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException;
import io.trawl.coordinator.queue.QueueWatch;
import io.trawl.coordinator.summary.DoneChange;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.LogPartition;
import io.trawl.model.Durations;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the request topics of a running deployment by topics with other counts, without losing or repeating a
 * request (docs/protocol-resizing.md, Replacing the request topics). What stands on {@code control} says how far a
 * replacement is; every step may be repeated, so a new leader goes on where the one before it ended. Its thread waits
 * for other processes and copies; only the leader's thread writes {@code control}. Thread-safe.
 */
public final class ChannelReplacement implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelReplacement.class);
    private static final Duration AGAIN = Duration.ofMillis(500);
    private final WorkerContext context;
    private final ControlState controlState;
    private final QueueWatch queue;
    private final ControlWriter controlWriter;
    private final LeaderThread leader;
    private final RequestLeases leases;
    private final PartitionChange partitions;
    private final Semaphore begun = new Semaphore(0);
    private final Thread thread;
    /** The last reason that was logged; confined to the thread. */
    private String waitsFor = "";

    /**
     * @param queue the backlogs
     * @param leader runs what writes
     */
    public ChannelReplacement(WorkerContext context, ControlState controlState, QueueWatch queue,
            ControlWriter controlWriter, LeaderThread leader) {
        this.context = context;
        this.controlState = controlState;
        this.queue = queue;
        this.controlWriter = controlWriter;
        this.leader = leader;
        this.leases = new RequestLeases(context.store().leases(), context.time());
        this.partitions = new PartitionChange(context, controlState, controlWriter, leader, this::replaceable,
                begun::release);
        this.thread = Thread.ofVirtual().name("replacement").unstarted(this::run);
    }

    /** Completes what an earlier leader has begun, or removes what it has left. */
    public void start() {
        begun.release();
        thread.start();
    }

    /**
     * Begins to replace the request topics. Returns when the decision is on {@code control}; the rest follows.
     *
     * @param levels the number of priorities
     * @param partitions of each topic
     * @return the topics after the call
     * @throws ReplacementInProgressException if a replacement is not done yet
     */
    public Channels begin(int levels, int partitions) throws InterruptedException {
        Channels now = replaceable();
        Channels next = now.replacedBy(nextGeneration(now), levels, partitions, context.time().now(),
                Arrays.stream(queue.requests(now)).boxed().toList());
        try (Admin admin = context.kafka().clients().admin()) {
            new TopicMaker(context.settings(), context.kafka().topics(), admin, context.time())
                    .make(TopicSpec.requests(context.kafka().topics(), next));
        }
        leader.ask(() -> {
            if (!replaceable().equals(now)) {
                throw new ReplacementInProgressException(controlState.channels().orElseThrow());
            }
            controlWriter.write(next);
            LOG.info("replacing {} by {}", text(now), text(next));
            // Here, since the caller may not wait for the answer.
            begun.release();
            return true;
        });
        return next;
    }

    /** The same for the partitions of items and responses, which stay in their topics. */
    public PartitionChange partitions() {
        return partitions;
    }

    /**
     * The request topics, which may be replaced.
     *
     * @throws ReplacementInProgressException if a replacement is not done yet
     */
    public Channels replaceable() {
        Channels now = controlState.channels().orElseThrow();
        if (now.replaced().isPresent() || now.responseLayout().changing()) {
            throw new ReplacementInProgressException(now);
        }
        return now;
    }

    private static String text(Channels channels) {
        return "the request topics of generation " + channels.generation() + " (" + channels.levels() + " levels, "
                + channels.partitions() + " partitions)";
    }

    /** Names are never used twice while something of them may be left. */
    private int nextGeneration(Channels now) throws InterruptedException {
        return requestTopics().stream().mapToInt(context.kafka().topics()::generation).reduce(now.generation(),
                Math::max) + 1;
    }

    private List<String> requestTopics() throws InterruptedException {
        try (Admin admin = context.kafka().clients().admin()) {
            Set<String> names = BrokerCall.get(() -> admin.listTopics().names().get());
            return names.stream().filter(context.kafka().topics()::isRequests).toList();
        }
    }

    // ---- the thread ----

    private void run() {
        try {
            while (true) {
                begun.acquire();
                while (!complete()) {
                    context.time().pause(AGAIN);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("the term is over");
        } catch (RuntimeException e) {
            context.failures().fatal("the request topics cannot be replaced", e);
        }
    }

    /**
     * @return false if something is left to do: a server does not answer, a leader that was paused has begun to
     * forward, too, or analyzers are not so far
     */
    private boolean complete() throws InterruptedException {
        try {
            Channels now = controlState.channels().orElseThrow();
            Optional<Channels> old = now.replacedChannels();
            if (old.isPresent()) {
                replace(now, old.get());
            }
            deleteEarlier();
            boolean done = partitions.complete();
            waitsFor = "";
            return done;
        } catch (KafkaException | WriterFencedException | LedgerUnavailableException | ControlNotWrittenException e) {
            String reason = String.valueOf(e.getMessage());
            if (!reason.equals(waitsFor)) {
                waitsFor = reason;
                LOG.warn("the change of the channels waits: {}", reason);
            }
            return false;
        } catch (NotLeadingException e) {
            throw new InterruptedException(e.getMessage());
        }
    }

    private void replace(Channels now, Channels old) throws InterruptedException {
        long begin = context.time().nanos();
        try (Admin admin = context.kafka().clients().admin();
                TopicOffsets offsets = new TopicOffsets(context.kafka().clients().admin(),
                        context.kafka().counts()::serves)) {
            seal(admin, context.kafka().topics());
            if (!now.served()) {
                leases.hand(old, now);
                write(known -> known.open(context.time().now()));
                LOG.info("nobody fetches from generation {} any more; generation {} is open after {}", old.generation(),
                        now.generation(), since(begin));
            }
            long copied = forward(admin, offsets, old, now);
            write(known -> known.replacementDone(copied, context.time().now()));
            LOG.info("{}", DoneChange.of(controlState.channels().flatMap(Channels::replacement).orElseThrow()).text());
            dropMarks(admin, old);
        }
    }

    private String since(long begin) {
        return Durations.format(Duration.ofNanos(context.time().nanos() - begin));
    }

    private interface Step {
        Channels of(Channels now);
    }

    private void write(Step step) throws InterruptedException {
        leader.call(() -> {
            controlWriter.write(step.of(controlState.channels().orElseThrow()));
            return true;
        });
    }

    /**
     * After this no transaction with requests for the old topics is committed: a process that is fenced reads
     * {@code control} to its end before its next transaction, and so does a process that begins now.
     */
    public static void seal(Admin admin, TopicNames names) throws InterruptedException {
        String makers = names.analyzerTransactions("");
        String promotion = names.refreshTransactions();
        Collection<TransactionListing> known = BrokerCall.get(() -> admin.listTransactions().all().get());
        List<String> ids = known.stream().map(TransactionListing::transactionalId)
                .filter(id -> id.startsWith(makers) || id.equals(promotion)).toList();
        if (!ids.isEmpty()) {
            BrokerCall.get(() -> admin.fenceProducers(ids).all().get());
        }
    }

    private long forward(Admin admin, TopicOffsets offsets, Channels old, Channels now) throws InterruptedException {
        String id = context.kafka().topics().replacementTransactions();
        try (TransactionalWriter writer = new TransactionalWriter(
                () -> context.kafka().clients().transactionalProducer(id), context.time());
                var reader = context.kafka().clients().bulkReader(context.kafka().topics().downloaderGroup(),
                        "replacement-" + context.mid())) {
            writer.open();
            RequestForwarder forwarder = new RequestForwarder(reader, writer, offsets, context.store().marks(),
                    context.kafka().topics(), old, now, ids(admin, old));
            boolean more = true;
            while (more) {
                more = forwarder.pass();
            }
            return forwarder.forwarded();
        }
    }

    private Map<String, String> ids(Admin admin, Channels of) throws InterruptedException {
        Map<String, String> ids = new HashMap<>();
        Map<String, TopicDescription> described = BrokerCall
                .get(() -> admin.describeTopics(context.kafka().topics().requests(of)).allTopicNames().get());
        described.forEach((name, description) -> ids.put(name, description.topicId().toString()));
        return ids;
    }

    /**
     * Nobody reads them any more; what a leader leaves here when it dies takes a bit for each request, until the
     * namespace is removed.
     */
    private void dropMarks(Admin admin, Channels old) throws InterruptedException {
        ids(admin, old).forEach((topic, id) -> {
            for (int partition = 0; partition < old.partitions(); partition++) {
                context.store().marks().dropBelow(new LogPartition(topic, id, partition), Long.MAX_VALUE);
            }
        });
    }

    /**
     * Deletes the request topics of earlier generations: those that are replaced, and those of a change that was not
     * decided. A leader that was paused may know an old generation only. Those below it are over all the same, and
     * those above it may be in use.
     */
    private void deleteEarlier() throws InterruptedException {
        Channels now = controlState.channels().orElseThrow();
        List<String> earlier = requestTopics().stream()
                .filter(name -> context.kafka().topics().generation(name) < now.generation()).toList();
        if (!earlier.isEmpty() && now.replaced().isEmpty()) {
            try (Admin admin = context.kafka().clients().admin()) {
                BrokerCall.get(() -> admin.deleteTopics(earlier).all().get());
                LOG.info("deleted the topics {}", earlier);
            }
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
