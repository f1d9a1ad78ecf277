package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Codec;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlerError;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.TestServers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.config.Config;

/**
 * Redis forgets everything, or part of it, while a crawl runs: work may repeat, no page is lost, the crawl ends, and an
 * error record reports the loss.
 */
class RedisLossIT {
    private static final CrawlId CRAWL = new CrawlId("loss");
    private static final int PAGES = 600;
    private static final int DEPTH = 8;
    @TempDir
    private Path out;

    @Test
    void aLossOfRedisDataCausesRepeatsAndNothingElse() throws InterruptedException {
        try (FakeWeb web = FakeWeb.start(6);
                OneJvmFleet fleet = new OneJvmFleet(out);
                Memory redis = new Memory(fleet.fixture())) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 4, 23);
            fleet.client().define(CRAWL, GraphChecks.definition(graph, DEPTH, "40ms"), false);

            awaitVisits(web, 60);
            redis.forget();
            awaitLosses(fleet.fixture(), 1);
            awaitVisits(web, 120);
            Map<String, byte[]> early = redis.all();
            long pulse = redis.pulse();
            awaitVisits(web, 240);
            // The counter grows once a second: a smaller loss is not noticed.
            await().until(() -> redis.pulse() > pulse + 1);
            redis.setBack(early);
            awaitLosses(fleet.fixture(), 2);

            fleet.awaitFinished(CRAWL);
            GraphChecks.outputWithRepeats(graph, List.of(graph.url(0)), DEPTH, new Output(out));
            assertThat(fleet.coordinator().summary().extra()).containsKey("redisLostDataAt");
        }
    }

    private static void awaitVisits(FakeWeb web, int visits) {
        await().until(() -> web.visits().size() >= visits);
    }

    private static void awaitLosses(KafkaFixture fixture, int losses) {
        await().until(() -> fixture.records(fixture.topics().errors()).stream().map(r -> Codec.error(r.value()))
                .map(CrawlerError::kind).filter("REDIS_LOST_DATA"::equals).count() == losses);
    }

    /** All keys of this namespace in Redis. */
    private static final class Memory implements AutoCloseable {
        private final RedissonClient redis;
        private final String pattern;

        Memory(KafkaFixture fixture) {
            Config config = new Config().setCodec(ByteArrayCodec.INSTANCE);
            config.useSingleServer().setAddress(TestServers.shared().operatorUrl());
            this.redis = Redisson.create(config);
            this.pattern = fixture.topics().namespace() + "*";
        }

        private List<String> keys() {
            List<String> keys = new ArrayList<>();
            redis.getKeys().getKeys(org.redisson.api.options.KeysScanOptions.defaults().pattern(pattern))
                    .forEach(keys::add);
            return keys;
        }

        /** Without keys that expire. */
        Map<String, byte[]> all() {
            Map<String, byte[]> all = new HashMap<>();
            keys().stream().filter(key -> redis.getKeys().remainTimeToLive(key) < 0).forEach(key -> {
                byte[] dump = redis.getBucket(key).dump();
                if (dump != null) {
                    all.put(key, dump);
                }
            });
            return all;
        }

        long pulse() {
            return keys().stream().filter(key -> key.contains("pulse")).findFirst()
                    .map(key -> redis.getAtomicLong(key).get()).orElse(0L);
        }

        void forget() {
            redis.getKeys().delete(keys().toArray(String[]::new));
        }

        void setBack(Map<String, byte[]> to) {
            forget();
            to.forEach((key, dump) -> redis.getBucket(key).restoreAndReplace(dump));
        }

        @Override
        public void close() {
            redis.shutdown();
        }
    }
}
