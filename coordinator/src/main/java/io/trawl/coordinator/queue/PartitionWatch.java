package io.trawl.coordinator.queue;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.control.Channels;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the partitions that the broker has with the counts on {@code control} once a minute, on a thread of its own,
 * and says what differs: an operator who adds partitions learns that they stay unused, which members of groups stand
 * idle, and which settings of several brokers are unsafe. Thread-safe.
 */
public final class PartitionWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionWatch.class);
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final Duration SOON = Duration.ofSeconds(1);
    private final Admin admin;
    private final TopicOffsets offsets;
    private final ReplicationCheck replication;
    private final PartitionCounts counts;
    private final TopicNames names;
    private final Time time;
    private final Thread thread;
    private volatile Findings findings = new Findings(List.of(), 0);

    /** The members that the last look found idle, by their ids in the group; belongs to the thread. */
    private Set<String> idleBefore = Set.of();

    private record Findings(List<String> notes, int unused) {}

    /** @param admin closed by this object */
    public PartitionWatch(Admin admin, PartitionCounts counts, Time time, MeterRegistry meters) {
        this.admin = admin;
        this.offsets = new TopicOffsets(admin, partition -> !counts.serves(partition));
        this.counts = counts;
        this.names = counts.topicNames();
        this.replication = new ReplicationCheck(admin, names.namespace());
        this.time = time;
        this.thread = Thread.ofVirtual().name("partitions").unstarted(this::run);
        Gauge.builder("trawl.queue.partitions.unused", this, watch -> watch.findings.unused())
                .description("Partitions that were added to topics and carry no records").register(meters);
    }

    /** Starts the thread. */
    public void start() {
        thread.start();
    }

    /** What an operator should know, one sentence each; empty if nothing differs. */
    public List<String> notes() {
        return findings.notes();
    }

    private void run() {
        try {
            while (true) {
                Optional<Channels> known = counts.channels().get();
                if (known.isPresent()) {
                    look(known.get());
                }
                time.pause(known.isPresent() ? EVERY : SOON);
            }
        } catch (InterruptedException e) {
            LOG.debug("the watch of the partitions stops");
        }
    }

    private void look(Channels channels) throws InterruptedException {
        try {
            Findings now = find(channels);
            if (!now.notes().equals(findings.notes())) {
                now.notes().stream().filter(note -> !findings.notes().contains(note)).forEach(LOG::warn);
                if (now.notes().isEmpty()) {
                    LOG.info(
                            "the partitions of all topics are used and safely replicated, and no member of a group stands idle");
                }
            }
            findings = now;
        } catch (ExecutionException | KafkaException e) {
            LOG.debug("cannot compare the partitions now: {}", e.getMessage());
        }
    }

    private Findings find(Channels channels) throws InterruptedException, ExecutionException {
        List<String> topics = new ArrayList<>(names.requests(channels));
        topics.addAll(List.of(names.responses(), names.items(), names.ledger(), names.seeds()));
        offsets.forget();
        Map<TopicPartition, Long> beyond = offsets.ends(topics);
        Map<TopicPartition, Long> starts = offsets.starts(beyond.keySet());
        Map<String, Integer> unused = new TreeMap<>();
        Map<String, Long> foreign = new TreeMap<>();
        beyond.forEach((partition, end) -> {
            unused.merge(partition.topic(), 1, Integer::sum);
            foreign.merge(partition.topic(), end - starts.getOrDefault(partition, 0L), Long::sum);
        });
        List<String> notes = new ArrayList<>(replication.notes());
        unused.forEach((topic, more) -> {
            int used = counts.of(topic).orElse(0);
            notes.add("topic " + topic + " has " + (used + more) + " partitions: " + used
                    + " carry records, as control says, and those that were added are unused"
                    + (foreign.getOrDefault(topic, 0L) > 0 && !topic.equals(names.seeds())
                            ? "; what another program has written there is not read"
                            : ""));
        });
        Set<String> idle = new HashSet<>();
        idle(names.downloaderGroup(), channels.partitions(), idle, notes);
        idle(names.analyzerGroup(), channels.responses(), idle, notes);
        idle(names.pipelineGroup(), channels.items(), idle, notes);
        idle(names.archiveGroup(), channels.responses(), idle, notes);
        idleBefore = idle;
        return new Findings(List.copyOf(notes), beyond.size());
    }

    /** A member is named at the second look that finds it idle: one that has just joined has no partitions yet. */
    private void idle(String group, int partitions, Set<String> found, List<String> notes)
            throws InterruptedException, ExecutionException {
        Optional<ConsumerGroupDescription> described = group(group);
        List<MemberDescription> members = described.map(d -> List.copyOf(d.members())).orElse(List.of());
        List<String> idle = members.stream()
                .filter(member -> member.assignment().topicPartitions().stream().noneMatch(counts::serves))
                .filter(member -> found.add(member.consumerId()) && idleBefore.contains(member.consumerId()))
                .map(MemberDescription::clientId).sorted().toList();
        if (!idle.isEmpty() && idle.size() < members.size()) {
            notes.add(String.join(", ", idle) + (idle.size() == 1 ? " stands" : " stand") + " idle: the group " + group
                    + " has " + members.size() + " members for " + partitions + " partitions");
        }
    }

    /** Empty if there is no such group yet. */
    private Optional<ConsumerGroupDescription> group(String group) throws InterruptedException {
        try {
            return Optional.ofNullable(admin.describeConsumerGroups(List.of(group)).all().get().get(group));
        } catch (ExecutionException e) {
            return Optional.empty();
        }
    }

    /** Stops the thread. */
    @Override
    public void close() {
        thread.interrupt();
        offsets.close();
    }
}
