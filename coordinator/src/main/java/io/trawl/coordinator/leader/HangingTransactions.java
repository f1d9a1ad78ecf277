package io.trawl.coordinator.leader;

import io.trawl.coordinator.channel.BrokerCall;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions that are over for their coordinator, and open for ever in a log that has lost their last record: no
 * consumer reads beyond the first of their records there. The way to find and to abort them is that of KIP-664.
 */
final class HangingTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(HangingTransactions.class);
    private final Supplier<Admin> admins;
    private boolean refused;

    /** The part of a transaction in one log. */
    private record OpenTransaction(TopicPartition partition, long producer, int epoch, OptionalInt coordinatorEpoch,
            long start) {}

    /** @param admins creates a client */
    HangingTransactions(Supplier<Admin> admins) {
        this.admins = admins;
    }

    /**
     * Aborts them in these logs. What they have written there is lost, as is what followed it.
     *
     * @throws org.apache.kafka.common.KafkaException if Kafka does not answer, or refuses
     */
    void abort(Collection<TopicPartition> partitions) throws InterruptedException {
        try (Admin admin = admins.get()) {
            Set<OpenTransaction> before = open(admin, partitions);
            if (!before.isEmpty()) {
                Map<Long, TransactionDescription> known = transactions(admin, before);
                // One that has ended in between is open in the first list only.
                Set<OpenTransaction> still = open(admin, partitions);
                still.retainAll(before);
                still.removeIf(each -> goesOn(Optional.ofNullable(known.get(each.producer())), each));
                for (OpenTransaction each : still) {
                    abort(admin, each);
                }
            }
        }
    }

    private void abort(Admin admin, OpenTransaction hanging) throws InterruptedException {
        AbortTransactionSpec spec = new AbortTransactionSpec(hanging.partition(), hanging.producer(),
                (short) hanging.epoch(), hanging.coordinatorEpoch().orElse(0));
        try {
            BrokerCall.get(() -> admin.abortTransaction(spec).all().get());
            LOG.warn("a transaction has lost its end in {}: aborted, its records there from offset {} on are lost",
                    hanging.partition(), hanging.start());
        } catch (AuthorizationException e) {
            if (!refused) {
                LOG.error(
                        "a transaction has lost its end in {}, so no process reads beyond offset {}. Kafka does not let this"
                                + " user abort it: allow ClusterAction on the cluster, or run kafka-transactions.sh abort",
                        hanging.partition(), hanging.start());
            }
            refused = true;
            throw e;
        }
    }

    private static Set<OpenTransaction> open(Admin admin, Collection<TopicPartition> partitions)
            throws InterruptedException {
        return BrokerCall.get(() -> admin.describeProducers(partitions).all().get()).entrySet().stream()
                .flatMap(log -> log.getValue().activeProducers().stream()
                        .filter(producer -> producer.currentTransactionStartOffset().isPresent())
                        .map(producer -> open(log.getKey(), producer)))
                .collect(Collectors.toSet());
    }

    private static OpenTransaction open(TopicPartition partition, ProducerState producer) {
        return new OpenTransaction(partition, producer.producerId(), producer.producerEpoch(),
                producer.coordinatorEpoch(), producer.currentTransactionStartOffset().orElseThrow());
    }

    /** What the transactions' coordinator knows, by the id of the producer. */
    private static Map<Long, TransactionDescription> transactions(Admin admin, Set<OpenTransaction> open)
            throws InterruptedException {
        Set<Long> producers = open.stream().map(OpenTransaction::producer).collect(Collectors.toSet());
        Collection<TransactionListing> listed = BrokerCall.get(
                () -> admin.listTransactions(new ListTransactionsOptions().filterProducerIds(producers)).all().get());
        List<String> ids = listed.stream().map(TransactionListing::transactionalId).toList();
        Map<Long, TransactionDescription> known = new HashMap<>();
        BrokerCall.get(() -> admin.describeTransactions(ids).all().get()).values()
                .forEach(transaction -> known.put(transaction.producerId(), transaction));
        return known;
    }

    /** Whether the coordinator will end it there: it is not over, and has the log. */
    private static boolean goesOn(Optional<TransactionDescription> known, OpenTransaction open) {
        return known.filter(now -> now.topicPartitions().contains(open.partition())
                && Set.of(TransactionState.ONGOING, TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT,
                        TransactionState.PREPARE_EPOCH_FENCE).contains(now.state()))
                .isPresent();
    }
}
