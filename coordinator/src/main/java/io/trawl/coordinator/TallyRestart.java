package io.trawl.coordinator;

import io.trawl.channel.offset.LogEndCheck;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.worker.WorkerContext;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a coordinator that was running when Kafka lost records: its sums over the ledger count records that are gone. The next process counts what
 * is left. A coordinator that was started afterwards has counted nothing else.
 */
final class TallyRestart {
    private static final Logger LOG = LoggerFactory.getLogger(TallyRestart.class);

    private TallyRestart() {}

    /** Begins to listen; call it before the first record of the ledger is counted. */
    static void begin(WorkerContext context) {
        Optional<Long> known = context.control().kafkaLoss().map(KafkaLoss::id);
        boolean after = isLogShorter(context);
        context.control().listen(record -> {
            if (record instanceof KafkaLoss loss && !after && !known.equals(Optional.of(loss.id()))) {
                context.failures().fatal("Kafka has lost records that this process has counted; it has to be started again",
                        new IllegalStateException("the loss of " + loss.at()));
            }
        });
    }

    private static boolean isLogShorter(WorkerContext context) {
        try (LogEndCheck check = new LogEndCheck(context.logEnds(),
                new TopicOffsets(context.kafka().admin(), context.counts()::serves),
                () -> context.topics().ofFacts(context.control().channels()))) {
            return !check.below().isEmpty();
        } catch (KafkaException | LedgerUnavailableException e) {
            LOG.debug("the ends of the logs are unknown: {}", e.getMessage());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
