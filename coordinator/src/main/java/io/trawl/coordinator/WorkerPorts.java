package io.trawl.coordinator;

import io.trawl.access.Access;
import io.trawl.channel.KafkaClients;
import io.trawl.channel.RecordLookup;
import io.trawl.channel.RequestOwners;
import io.trawl.channel.TopicOffsets;
import io.trawl.coordinator.api.ExplainDesk;
import io.trawl.coordinator.api.PreviewDesk;
import io.trawl.coordinator.probe.LiveExplain;
import io.trawl.coordinator.probe.LivePreview;
import io.trawl.coordinator.workers.Analyses;
import io.trawl.coordinator.probe.Topicwise;
import io.trawl.coordinator.workers.Downloads;
import io.trawl.coordinator.workers.Frontiers;
import io.trawl.coordinator.workers.WorkerCalls;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;

/** What a coordinator needs to ask workers directly: connections, and who owns what. */
record WorkerPorts(WorkerContext context, WorkerCalls calls, Admin admin, RequestOwners owners,
        TopicOffsets offsets) implements AutoCloseable {
    /** A call has to come and go, too. */
    private static final Duration MARGIN = Duration.ofSeconds(5);
    /** A response's links and items may be larger than its body. */
    private static final int LARGER = 2;

    static WorkerPorts open(WorkerContext context) {
        Admin admin = context.kafka().admin();
        return new WorkerPorts(context, new WorkerCalls(Access.of(context.settings()).credentials(),
                (long) LARGER * KafkaClients.largestRecord(context.settings())), admin,
                new RequestOwners(admin, context.topics()), new TopicOffsets(context.kafka().admin()));
    }

    PreviewDesk previews(CoordinatorParts parts) {
        Duration limit = context.settings().analyzer().parseTimeout().multipliedBy(2).plus(MARGIN);
        return new LivePreview(context.control(), parts::known, parts.admission(),
                new Downloads(calls, context.registrar(), owners),
                new Analyses(calls, context.registrar(), limit), parts.ids());
    }

    ExplainDesk explanations(CoordinatorParts parts) {
        RecordLookup lookup = new RecordLookup(() -> context.kafka().seeker("explain-" + context.mid()), context.time());
        return new LiveExplain(parts.book(), parts::known, parts.admission(), context.ledger(),
                new Frontiers(calls, context.registrar(), owners), new Topicwise(context.topics(), lookup, offsets));
    }

    @Override
    public void close() {
        calls.close();
        admin.close(Duration.ZERO);
        offsets.close();
    }
}
