package io.trawl.embedded;

import static java.util.Objects.requireNonNull;

import io.trawl.embedded.EmbeddedServerException.ServerStartException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.utils.Utils;

/**
 * Aborts the open transactions of a killed run. Until they time out, consumers would not see the records after them.
 */
final class OpenTransactions {
    private static final int SECONDS = 30;
    private final Admin admin;

    private OpenTransactions(Admin admin) {
        this.admin = admin;
    }

    /** Aborts every open transaction. The caller guarantees that no process writes now. */
    static void fence(String bootstrapServers) {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers, "retry.backoff.ms", 10))) {
            new OpenTransactions(admin).fence();
        } catch (ExecutionException | TimeoutException e) {
            throw new ServerStartException(
                    "cannot abort the open transactions of the last run: " + EmbeddedServerException.reason(e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServerStartException("interrupted while starting", e);
        }
    }

    private void fence() throws ExecutionException, TimeoutException, InterruptedException {
        int partitions = partitions();
        for (String id : IntStream.range(0, partitions).mapToObj(p -> idIn(p, partitions)).toList()) {
            awaitLoaded(id);
        }
        Collection<TransactionListing> open = get(admin
                .listTransactions(new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING))).all());
        // One id per call: a call with ten ids takes seconds, ten parallel calls take milliseconds.
        List<KafkaFuture<Void>> fenced = open.stream()
                .map(t -> admin.fenceProducers(List.of(t.transactionalId())).all()).toList();
        for (KafkaFuture<Void> each : fenced) {
            get(each);
        }
    }

    /** The number of partitions of the transaction log; 0 if it does not exist. */
    private int partitions() throws ExecutionException, TimeoutException, InterruptedException {
        String topic = Topic.TRANSACTION_STATE_TOPIC_NAME;
        try {
            return requireNonNull(get(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic)).partitions()
                    .size();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return 0;
            }
            throw e;
        }
    }

    /**
     * Waits until the broker has loaded the transaction log partition of this id. Until then, which may be some time
     * after the start that follows a kill, the broker lists no transactions.
     */
    private void awaitLoaded(String unusedId) throws ExecutionException, TimeoutException, InterruptedException {
        try {
            get(admin.describeTransactions(List.of(unusedId)).description(unusedId));
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TransactionalIdNotFoundException)) {
                throw e;
            }
        }
    }

    /** An unused id that maps to this partition. */
    private static String idIn(int partition, int partitions) {
        return Stream.iterate(0, i -> i + 1).map(i -> "trawl-embedded-unused-" + i)
                .filter(id -> Utils.abs(id.hashCode()) % partitions == partition).findFirst().orElseThrow();
    }

    private static <T> T get(KafkaFuture<T> future) throws ExecutionException, TimeoutException, InterruptedException {
        return future.get(SECONDS, TimeUnit.SECONDS);
    }
}
