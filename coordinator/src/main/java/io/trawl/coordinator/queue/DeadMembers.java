package io.trawl.coordinator.queue;

import io.trawl.channel.KafkaClients;
import io.trawl.channel.MemberEviction;
import io.trawl.channel.TopicNames;
import io.trawl.coordinator.queue.StageRates.LiveModules;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes members out of the groups of a deployment whose processes have ended. A broker does so when a session ends; but
 * one that was restarted may not count the sessions of members that it has read from its log, and would keep their
 * partitions from everybody for ever (docs/adr/0138-dead-members.md). The leader looks, or any coordinator while nobody
 * leads. Thread-safe.
 */
public final class DeadMembers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeadMembers.class);
    private static final Duration EVERY = Duration.ofSeconds(15);
    /** A process that restarts in place, or whose renewals come late, is registered again by then. */
    private static final Duration GRACE = Duration.ofSeconds(15);
    private static final Duration TOLD = Duration.ofHours(1);
    private final Admin admin;
    private final MemberEviction eviction;
    private final TopicNames names;
    private final Supplier<LiveModules> modules;
    private final BooleanSupplier leading;
    private final Time time;
    /** When a member was first without a process, by its id; belongs to the thread. */
    private Map<String, Instant> suspects = Map.of();
    private volatile List<Evicted> evicted = List.of();
    private final PeriodicTask task;

    record Evicted(String client, String group, Instant at) {
        private boolean same(Evicted other) {
            return client.equals(other.client) && group.equals(other.group);
        }

        private String text() {
            return "Kafka kept " + client + " as a member of the group " + group
                    + ", although its process has ended: it was taken out, so that others get its partitions";
        }

        private String back() {
            return client + " joins the group " + group
                    + " again and again, and is not registered here: it lives, and uses another Redis"
                    + " (TRAWL_REDIS_URL), or does not reach this one. Stop it";
        }
    }

    /**
     * @param admin remains that of the caller
     * @param modules the processes that are registered
     * @param leading whether this coordinator leads
     */
    public DeadMembers(Admin admin, MemberEviction eviction, TopicNames names, Supplier<LiveModules> modules,
            BooleanSupplier leading, Time time) {
        this.admin = admin;
        this.eviction = eviction;
        this.names = names;
        this.modules = modules;
        this.leading = leading;
        this.time = time;
        this.task = new PeriodicTask("dead-members", EVERY, time, this::look);
    }

    /** Starts the thread. */
    public void start() {
        task.start();
    }

    /** What has happened in the last hour, one sentence for each member. */
    public List<String> notes() {
        return texts(told(time.now()).toList());
    }

    /** A sentence for each member. One that was taken out twice lives: a process that starts anew has another name. */
    static List<String> texts(List<Evicted> all) {
        return all.stream().map(one -> all.stream().filter(one::same).count() > 1 ? one.back() : one.text()).distinct()
                .toList();
    }

    private void look() throws InterruptedException {
        LiveModules live = modules.get();
        Instant now = time.now();
        if (live.at().isEmpty() || live.refusal().isPresent() || live.unknownSince(now).isPresent()) {
            // Processes that cannot register are not known to have ended.
            suspects = Map.of();
        } else if (leading.getAsBoolean() || live.registered().stream().noneMatch(DeadMembers::leads)) {
            Set<String> clients = live.registered().stream()
                    .map(module -> KafkaClients.clientName(module.mid().toString())).collect(Collectors.toSet());
            Map<String, Instant> still = new HashMap<>();
            for (ConsumerGroupDescription group : groups()) {
                group.members().stream().filter(member -> !clients.contains(member.clientId())).forEach(member -> {
                    Instant since = suspects.getOrDefault(member.consumerId(), now);
                    if (Duration.between(since, now).compareTo(GRACE) < 0 || !evicts(group, member, now)) {
                        still.put(member.consumerId(), since);
                    }
                });
            }
            suspects = still;
        }
    }

    private static boolean leads(Registration module) {
        return module.mid().kind() == ModuleKind.COORDINATOR && module.state() == Phase.LEADING;
    }

    /** @return whether the member is out */
    private boolean evicts(ConsumerGroupDescription group, MemberDescription member, Instant now) {
        try {
            eviction.evict(group.groupId(), member.consumerId(), group.coordinator());
        } catch (KafkaException e) {
            LOG.warn("Kafka keeps {} as a member of the group {}, and refuses to take it out: {}", member.clientId(),
                    group.groupId(), e.getMessage());
            return false;
        }
        Evicted gone = new Evicted(member.clientId(), group.groupId(), now);
        LOG.warn(gone.text());
        evicted = Stream.concat(told(now), Stream.of(gone)).toList();
        return true;
    }

    private Stream<Evicted> told(Instant now) {
        return evicted.stream().filter(member -> member.at().isAfter(now.minus(TOLD)));
    }

    /** Those that there are. */
    private List<ConsumerGroupDescription> groups() throws InterruptedException {
        List<ConsumerGroupDescription> found = new ArrayList<>();
        for (KafkaFuture<ConsumerGroupDescription> group : admin
                .describeConsumerGroups(List.of(names.coordinatorGroup(), names.downloaderGroup(),
                        names.analyzerGroup(), names.pipelineGroup(), names.archiveGroup()))
                .describedGroups().values()) {
            try {
                found.add(group.get());
            } catch (ExecutionException e) {
                LOG.debug("a group cannot be described now: {}", e.getMessage());
            }
        }
        return found;
    }

    @Override
    public void close() {
        task.close();
    }
}
