package io.trawl.coordinator.leader;

import io.trawl.coordinator.channel.TopicMaker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transactions that are over for their coordinator, and open for ever in a log that has lost their last record: nobody
 * reads beyond the first of their records there. The way to find and to abort them is that of KIP-664.
 */
final class HangingTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(HangingTransactions.class);
    private final Admin admin;

    /** The part of a transaction in one log. */
    private record OpenTransaction(TopicPartition partition, long producer, int epoch, OptionalInt coordinatorEpoch,
            long start) {}

    /** @param admin lent */
    HangingTransactions(Admin admin) {
        this.admin = admin;
    }

    /**
     * Aborts them in these logs. What they have written there is lost, as is what followed it.
     *
     * @throws org.apache.kafka.common.KafkaException if Kafka does not answer, or refuses
     */
    void abort(Collection<TopicPartition> partitions) throws InterruptedException {
        Set<OpenTransaction> before = open(partitions);
        if (before.isEmpty()) {
            return;
        }
        List<OpenTransaction> hanging = new ArrayList<>(
                open(before.stream().map(OpenTransaction::partition).collect(Collectors.toSet())));
        Map<Long, TransactionDescription> known = transactions(before);
        // One that ends in between is open in the first list only.
        hanging.retainAll(before);
        hanging.removeIf(
                each -> Optional.ofNullable(known.get(each.producer())).filter(now -> goesOn(now, each)).isPresent());
        for (OpenTransaction each : hanging) {
            AbortTransactionSpec spec = new AbortTransactionSpec(each.partition(), each.producer(),
                    (short) each.epoch(), each.coordinatorEpoch().orElse(0));
            TopicMaker.get(() -> admin.abortTransaction(spec).all().get());
            LOG.warn("aborted in {} a transaction that has lost its end: the records from offset {} on are lost",
                    each.partition(), each.start());
        }
    }

    private Set<OpenTransaction> open(Collection<TopicPartition> partitions) throws InterruptedException {
        return TopicMaker.get(() -> admin.describeProducers(partitions).all().get()).entrySet().stream()
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
    private Map<Long, TransactionDescription> transactions(Set<OpenTransaction> open) throws InterruptedException {
        Set<Long> producers = open.stream().map(OpenTransaction::producer).collect(Collectors.toSet());
        Collection<TransactionListing> listed = TopicMaker.get(
                () -> admin.listTransactions(new ListTransactionsOptions().filterProducerIds(producers)).all().get());
        List<String> ids = listed.stream().map(TransactionListing::transactionalId).toList();
        Map<Long, TransactionDescription> known = new HashMap<>();
        TopicMaker.get(() -> admin.describeTransactions(ids).all().get()).values()
                .forEach(transaction -> known.put(transaction.producerId(), transaction));
        return known;
    }

    /** Whether the coordinator will end it there: it is not over, and has the log. */
    private static boolean goesOn(TransactionDescription now, OpenTransaction open) {
        return Set
                .of(TransactionState.ONGOING, TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT,
                        TransactionState.PREPARE_EPOCH_FENCE)
                .contains(now.state()) && now.topicPartitions().contains(open.partition());
    }
}
