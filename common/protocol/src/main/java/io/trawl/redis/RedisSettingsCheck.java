package io.trawl.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNode.InfoSection;
import org.redisson.client.RedisException;

/**
 * Warnings about server settings that cost memory or make work repeat, each with a remedy. None of these settings makes
 * Trawl lose a page.
 */
final class RedisSettingsCheck {
    private static final int ENTRIES = 512;
    private static final int VALUE = 12;
    private final List<String> warnings = new ArrayList<>();
    private final RedisNode server;

    private RedisSettingsCheck(RedisNode server) {
        this.server = server;
    }

    static List<String> of(RedisConnection redis) {
        return redis.call("check", client -> CompletableFuture.completedFuture(redis.servers().masters(client).stream()
                .flatMap(server -> warnings(server).stream()).distinct().toList()));
    }

    private static List<String> warnings(RedisNode server) {
        RedisSettingsCheck check = new RedisSettingsCheck(server);
        check.version();
        check.settings();
        return List.copyOf(check.warnings);
    }

    private void version() {
        String version = server.info(InfoSection.SERVER).getOrDefault("redis_version", "");
        String[] parts = version.split("\\.", 3);
        boolean numbers = parts.length >= 2 && parts[0].matches("[0-9]{1,4}") && parts[1].matches("[0-9]{1,4}");
        if (numbers && Integer.parseInt(parts[0]) * 10_000 + Integer.parseInt(parts[1]) < 60_002) {
            warnings.add("Redis " + version + " is too old: Trawl is tested with 6.2 and newer.");
        }
    }

    private void settings() {
        try {
            expect("appendonly", "yes"::equals,
                    "a restart of Redis forgets what was fetched and pages are fetched again; set 'appendonly yes'");
            expect("maxmemory-policy", "noeviction"::equals,
                    "Redis may drop what was fetched when memory is short and pages are fetched again; set 'maxmemory-policy noeviction'");
            // The older name; newer servers know both names, and some only the newer one.
            if (!expect("hash-max-ziplist-entries", atLeast(ENTRIES), hashes("hash-max-ziplist-entries " + ENTRIES))) {
                expect("hash-max-listpack-entries", atLeast(ENTRIES), hashes("hash-max-listpack-entries " + ENTRIES));
            }
            expect("hash-max-ziplist-value", atLeast(VALUE), hashes("hash-max-ziplist-value 64"));
        } catch (RedisException e) {
            if (RedisFailures.passes(e)) {
                throw e;
            }
            warnings.add(
                    "Redis does not let Trawl read its settings (CONFIG GET); please set 'appendonly yes', 'maxmemory-policy noeviction' and "
                            + "'hash-max-ziplist-entries " + ENTRIES + "' yourself.");
        }
    }

    private static String hashes(String setting) {
        return "the ledger needs about four times the memory; set '" + setting + "'";
    }

    private static Predicate<String> atLeast(int least) {
        return value -> Long.parseLong(value) >= least;
    }

    /** @return whether the server knows the setting */
    private boolean expect(String name, Predicate<String> fine, String otherwise) {
        Map<String, String> answer = server.getConfig(name);
        Optional<String> value = Optional.ofNullable(answer.get(name));
        value.filter(fine.negate())
                .ifPresent(v -> warnings.add("Redis has '" + name + " " + v + "': " + otherwise + "."));
        return value.isPresent();
    }
}
