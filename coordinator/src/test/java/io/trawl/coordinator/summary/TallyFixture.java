package io.trawl.coordinator.summary;

import io.trawl.coordinator.summary.LedgerFollower.LedgerSource;
import io.trawl.channel.TopicNames;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.time.Time;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;

/** Followers of the ledger for tests. */
public final class TallyFixture {
    private TallyFixture() {}

    /** One that is never started. */
    public static LedgerFollower unread(Time time) {
        Supplier<Consumer<byte[], byte[]>> none = () -> {
            throw new IllegalStateException("not started");
        };
        TopicNames names = new TopicNames("t");
        return new LedgerFollower(
                new LedgerSource(none, names.ledger(), OptionalInt::empty,
                        new SnapshotTopic(none, names, Optional::<KafkaLoss>empty)),
                time, time, (explanation, cause) -> {});
    }
}
