package io.trawl.bench.load;

import io.trawl.bench.web.Loopback;
import io.trawl.channel.Topics;
import io.trawl.channel.TransactionalWriter;
import io.trawl.channel.TransactionalWriter.Result;
import io.trawl.codec.Codec;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.Emitted;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Request;
import io.trawl.model.RequestId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes a backlog the way an analyzer does: requests at depth 1 and the ledger record that lists their ids, together in transactions; then, if a
 * ledger is given, the facts that announce them. Used by one thread.
 */
public final class RequestLoad {
    /** As many as a ledger record of an analyzer lists. */
    private static final int BATCH = 5000;
    private static final int DEPTH = 1;
    private final TransactionalWriter writer;
    private final Topics topics;
    private final CrawlRun run;
    private final int generation;
    private final int port;
    private final RandomGenerator ids;
    private final Optional<Ledger> ledger;
    private final List<Request> batch = new ArrayList<>(BATCH);
    private long written;

    /**
     * @param writer opened
     * @param generation of the request topics
     * @param port of the web that the URLs point to
     * @param ids for request ids: its seed must differ between loads into one crawl
     * @param ledger where requests are announced; empty: nowhere, which is as after a crash between commit and announcement
     */
    public RequestLoad(TransactionalWriter writer, Topics topics, CrawlRun run, int generation, int port, RandomGenerator ids,
            Optional<Ledger> ledger) {
        this.writer = writer;
        this.topics = topics;
        this.run = run;
        this.generation = generation;
        this.port = port;
        this.ids = ids;
        this.ledger = ledger;
    }

    /**
     * Writes everything and returns when it is committed.
     *
     * @param progress told the number of requests that are committed so far, after each transaction
     */
    public void write(Backlog backlog, LongConsumer progress) {
        HostKey[] hosts = new HostKey[backlog.hosts()];
        backlog.forEach((host, page, priority) -> {
            if (hosts[host] == null) {
                hosts[host] = new HostKey(Loopback.address(host) + ":" + port);
            }
            batch.add(request(hosts[host], page, priority));
            if (batch.size() == BATCH) {
                commit(progress);
            }
        });
        if (!batch.isEmpty()) {
            commit(progress);
        }
    }

    /** The path of a page of the backlog. */
    public static String path(int page) {
        return "/bench/page-" + page + ".html";
    }

    private Request request(HostKey host, int page, int priority) {
        String site = "http://" + host;
        return new Request(new RequestId(ids.nextLong()), run, site + path(page), host, DEPTH, priority, 0, false, 1,
                Optional.of(site + "/"), FetchOptions.NONE);
    }

    private void commit(LongConsumer progress) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>(BATCH + 1);
        List<Emitted> emitted = new ArrayList<>(BATCH);
        for (Request request : batch) {
            records.add(new ProducerRecord<>(topics.requests(generation, request.priority()), bytes(request.host().value()),
                    Codec.encode(request)));
            emitted.add(new Emitted(request.id(), request.priority(), request.depth()));
        }
        records.add(new ProducerRecord<>(topics.ledger(), bytes(run.crawl().value()),
                Codec.encode(new LedgerRecord(run, emitted, List.of(), Map.of(), List.of(), 0))));
        if (writer.write(records) != Result.COMMITTED) {
            throw new IllegalStateException("a batch of the load was aborted after " + written + " requests");
        }
        ledger.ifPresent(this::announce);
        written += batch.size();
        batch.clear();
        progress.accept(written);
    }

    private void announce(Ledger facts) {
        facts.learn(run, batch.stream().map(r -> new Fact(Fingerprint.of(r.url()), UrlFacts.requested(DEPTH))).toList());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
