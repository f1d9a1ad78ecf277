package io.trawl.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

class EmbeddedRedisIT {
    @TempDir
    private Path temp;

    @Test
    void keepsEveryAcknowledgedWriteWhenItIsKilled() {
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp.resolve("folder with \"spaces\""), 0)) {
            String url = redis.url();
            try (Jedis client = new Jedis(URI.create(url))) {
                client.set("a", "1");
            }
            redis.kill();
            redis.start();
            assertThat(redis.url()).isEqualTo(url);
            try (Jedis client = new Jedis(URI.create(url))) {
                assertThat(client.get("a")).isEqualTo("1");
            }
        }
    }

    @Test
    void runsWithWhatTheLedgerNeeds() {
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp, 0); Jedis client = new Jedis(URI.create(redis.url()))) {
            assertThat(client.configGet("appendfsync")).last().isEqualTo("always");
            assertThat(client.configGet("appendonly")).last().isEqualTo("yes");
            assertThat(client.configGet("maxmemory-policy")).last().isEqualTo("noeviction");
            assertThat(client.configGet("hash-max-ziplist-entries")).last().isEqualTo("512");
            assertThat(client.configGet("save")).last().isEqualTo("");
        }
    }

    @Test
    void comesFromTheJarIfThePathHasNone() {
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp, 0, ""); Jedis client = new Jedis(URI.create(redis.url()))) {
            assertThat(client.ping()).isEqualTo("PONG");
            assertThat(client.info("server")).contains("executable:" + temp.resolve("bin"));
        }
    }

    @Test
    void stopsAnotherOneThatStillWorksOnItsFolder() {
        EmbeddedRedis left = EmbeddedRedis.start(temp, 0);
        long orphan;
        try (Jedis client = new Jedis(URI.create(left.url()))) {
            client.set("a", "1");
            orphan = RedisProcess.at(client.getClient().getPort(), temp).orElseThrow();
        }
        try (EmbeddedRedis redis = EmbeddedRedis.start(temp, 0); Jedis client = new Jedis(URI.create(redis.url()))) {
            assertThat(client.get("a")).isEqualTo("1");
            assertThat(ProcessHandle.of(orphan).filter(ProcessHandle::isAlive)).isEmpty();
        }
    }

    @Test
    void leavesTheServersOfOthersAlone() {
        try (EmbeddedRedis other = EmbeddedRedis.start(temp.resolve("other"), 0);
                Jedis client = new Jedis(URI.create(other.url()))) {
            int port = client.getClient().getPort();
            client.set("a", "1");
            new RedisLease(temp.resolve("mine")).endOrphan(port);
            assertThat(client.get("a")).isEqualTo("1");
        }
    }
}
