package io.trawl.bench.jmh;

import io.trawl.embedded.EmbeddedServers;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** One call to the ledger on a local redis-server, which writes every change to disk before it answers. */
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Measurement(iterations = 5, time = 2)
public class LedgerBenchmark extends PartBenchmark {
    private static final int KNOWN = 200_000;
    private static final int LOAD = 1000;
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("bench"), 1);
    private final EmbeddedServers servers = EmbeddedServers.shared();
    private final RedisStore store = RedisStore.connect(RedisServers.at(servers.redis().url()), "jmh.", "cluster",
            "responses", Time.system());
    private final Ledger ledger = store.ledger();
    private final SplittableRandom random = new SplittableRandom(7);
    private final List<Fingerprint> known = new ArrayList<>(KNOWN);
    private long offset;

    /** URLs per call: 200 is a full batch of the analyzer, 1 a single request. */
    @Param({"1", "20", "200"})
    public int batch;

    /** Adds 200,000 known URLs. */
    @Setup
    public void fill() {
        for (int i = 0; i < KNOWN; i += LOAD) {
            List<Fact> facts = new ArrayList<>(LOAD);
            for (int j = 0; j < LOAD; j++) {
                known.add(fresh());
                facts.add(new Fact(known.getLast(), UrlFacts.requested(1)));
            }
            ledger.learn(RUN, facts);
        }
    }

    /** Closes the connection. */
    @TearDown
    public void close() {
        store.close();
    }

    private Fingerprint fresh() {
        return new Fingerprint(random.nextLong(), random.nextLong());
    }

    /** The frontier's look-up before a dispatch. */
    @Benchmark
    public List<UrlFacts> lookUp() {
        List<Fingerprint> asked = new ArrayList<>(batch);
        for (int i = 0; i < batch; i++) {
            asked.add(known.get(random.nextInt(KNOWN)));
        }
        return ledger.lookUp(RUN, asked);
    }

    /** The analyzer's update for responses of known URLs. */
    @Benchmark
    public List<UrlFacts> learnResponses() {
        List<Fact> facts = new ArrayList<>(batch);
        for (int i = 0; i < batch; i++) {
            facts.add(new Fact(known.get(random.nextInt(KNOWN)), UrlFacts.responded(1, offset++)));
        }
        return ledger.learn(RUN, facts);
    }

    /** The announcement of new links. */
    @Benchmark
    public List<UrlFacts> learnNew() {
        List<Fact> facts = new ArrayList<>(batch);
        for (int i = 0; i < batch; i++) {
            facts.add(new Fact(fresh(), UrlFacts.requested(1)));
        }
        return ledger.learn(RUN, facts);
    }
}
