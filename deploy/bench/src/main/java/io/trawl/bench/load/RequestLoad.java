package io.trawl.bench.load;

import io.trawl.testkit.web.Loopback;
import io.trawl.testkit.web.BacklogPlan;
import io.trawl.channel.HostPartitioner;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.TopicNames;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.TransactionalWriter.CommitResult;
import io.trawl.control.Channels;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes a backlog like an analyzer: requests at depth 1 and the ledger record with their ids in one transaction, then
 * the announcement to the ledger, if there is one. Not thread-safe.
 */
public final class RequestLoad {
    private static final int DEPTH = 1;
    private final TransactionalWriter writer;
    private final TopicNames topicNames;
    private final CrawlRun run;
    private final Channels channels;
    private final int port;
    private final RandomGenerator ids;
    private final Optional<Ledger> ledger;
    private final List<Request> batch = new ArrayList<>(LedgerRecord.MOST_IDS);
    private long written;

    /**
     * @param writer an open writer
     * @param channels the request topics
     * @param port the port in the URLs
     * @param ids generates request ids: its seed must differ between loads for one crawl
     * @param ledger receives the announcements; empty for none, as after a crash between commit and announcement
     */
    public RequestLoad(TransactionalWriter writer, TopicNames topicNames, CrawlRun run, Channels channels, int port,
            RandomGenerator ids, Optional<Ledger> ledger) {
        this.writer = writer;
        this.topicNames = topicNames;
        this.run = run;
        this.channels = channels;
        this.port = port;
        this.ids = ids;
        this.ledger = ledger;
    }

    /**
     * Writes the backlog and returns when it is committed.
     *
     * @param progress receives the number of committed requests after each transaction
     */
    public void write(BacklogPlan backlogPlan, LongConsumer progress) {
        HostKey[] hosts = new HostKey[backlogPlan.hosts()];
        backlogPlan.forEach((host, page, priority) -> {
            if (hosts[host] == null) {
                hosts[host] = new HostKey(Loopback.address(host) + ":" + port);
            }
            batch.add(request(hosts[host], page, priority));
            if (batch.size() == LedgerRecord.MOST_IDS) {
                commit(progress);
            }
        });
        if (!batch.isEmpty()) {
            commit(progress);
        }
    }

    private Request request(HostKey host, int page, int priority) {
        String site = "http://" + host;
        return new Request(new RequestId(ids.nextLong()), run, site + BacklogPlan.path(page), host, DEPTH, priority, 0,
                false, 1, Optional.of(site + "/"), FetchOptions.NONE);
    }

    private void commit(LongConsumer progress) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(LedgerRecord.MOST_IDS + 1);
        List<EmittedRequest> emittedRequest = new ArrayList<>(LedgerRecord.MOST_IDS);
        for (Request request : batch) {
            records.add(HostPartitioner.record(topicNames, channels, request, request.trace()));
            emittedRequest.add(new EmittedRequest(request.id(), request.priority(), request.depth()));
        }
        records.add(PartitionCounts.fixed(topicNames, channels)
                .ledger(new LedgerRecord(run, emittedRequest, List.of(), Map.of(), List.of(), 0)));
        if (writer.write(records) != CommitResult.COMMITTED) {
            throw new IllegalStateException("a batch of the load was aborted after " + written + " requests");
        }
        ledger.ifPresent(this::announce);
        written += batch.size();
        batch.clear();
        progress.accept(written);
    }

    private void announce(Ledger facts) {
        facts.learn(run,
                batch.stream().map(r -> new Fact(Fingerprint.of(r.identity()), UrlFacts.requested(DEPTH))).toList());
    }
}
