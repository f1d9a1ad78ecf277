package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.time.Time;
import java.lang.reflect.Field;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No process tells Redis what time it is, since the clocks of machines differ (P7 of docs/protocol-politeness.md). */
class RedisClockTest {
    private static List<String> code(RedisScript script) {
        return script.text().lines().map(line -> line.replaceFirst("--.*", "")).toList();
    }

    @Test
    void aScriptThatComparesTimesHasThePresentOneFromRedis() {
        List<RedisScript> compare = Arrays.stream(RedisScript.values())
                .filter(script -> code(script).stream().anyMatch(line -> line.matches(".*\\bnow\\b.*"))).toList();

        assertThat(compare).contains(RedisScript.LEASE_TAKE, RedisScript.LEASE_NOTE);
        assertThat(compare)
                .allSatisfy(script -> assertThat(code(script)).filteredOn(line -> line.matches("local (now|time)\\b.*"))
                        .anyMatch(line -> line.contains("redis.call('TIME')") || line.contains("milliseconds()"))
                        .noneMatch(line -> line.contains("ARGV")));
    }

    @Test
    void theLeasesKnowNoClockOfTheProcess() {
        assertThat(RedisPartitionLeaseStore.class.getDeclaredFields()).isNotEmpty().extracting(Field::getType)
                .doesNotContain(Time.class, Instant.class);
    }
}
