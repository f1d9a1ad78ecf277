package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.api.Counts;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registrar;
import io.trawl.module.Deal;
import io.trawl.module.Deal.Oldest;
import io.trawl.module.Registration;
import io.trawl.module.SlotCount;
import io.trawl.module.StopSignHistory;
import io.trawl.module.StopSignHistory.Changed;
import io.trawl.module.StopSignHistory.Dealt;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.WaitingFor;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisRegistrarIT {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final Duration LONG = Duration.ofMinutes(1);
    private final String namespace = TestRedis.namespace();
    private final RedisModuleStore modules = RedisModuleStore.connect(RedisServers.at(REDIS.url()), namespace,
            Time.system());
    private final Registrar registrar = modules.registrar();

    @AfterEach
    void close() {
        modules.close();
    }

    @Test
    void aRegistrationIsReadAsItWasWritten() {
        Registration full = new Registration(MID.parse("D3|[::1]:8081"), 17, new Counts(5, 4, 3, 1, 0, 0),
                Instant.parse("2026-11-20T10:00:00.123Z"), Map.of("stop/docs", 4L, "stop/*", 1L),
                new WaitingFor(Dependency.REDIS, Optional.of("no answer")),
                List.of(Deal.waiting("stop/*", 2, 1, Optional.of(new Oldest("http://x/", Duration.ofSeconds(6))))),
                Optional.of(12L), Optional.of(8), Optional.of(new SlotCount(64, 3, 2, SlotCount.Bound.MEMORY)),
                Optional.of(List.of("http")), Optional.of("ab12"), List.of("its clock is wrong"),
                Map.of("*", List.of("a is silent"), "docs", List.of("a is silent")));
        registrar.register(full, LONG);
        assertThat(registrar.all()).containsExactly(full);
    }

    @Test
    void theNewestNotesOfStopSignsAreKeptInTheirOrder() {
        StopSignHistory notes = modules.stopSignHistory();
        Instant at = Instant.parse("2026-11-20T10:00:00Z");
        Dealt dealt = new Dealt("stop/*", 1, at, MID.parse("D3|[::1]:8081"), Duration.ofMillis(70), 2);
        notes.add(new Changed("stop/*", 1, at, true));
        notes.add(dealt);
        notes.add(new Changed("stop/*", 2, at, false));
        assertThat(notes.all()).containsExactly(new Changed("stop/*", 2, at, false), dealt,
                new Changed("stop/*", 1, at, true));
    }

    @Test
    void allComeInTheOrderOfKindAndSerial() {
        for (String mid : new String[]{"A10|h:1", "P1|h:2", "A9|h:3", "D2|h:4", "C1|h:5"}) {
            registrar.register(module(mid, 1), LONG);
        }
        assertThat(registrar.all()).extracting(r -> r.mid().toString()).containsExactly("D2|h:4", "A9|h:3", "A10|h:1",
                "P1|h:2", "C1|h:5");
        assertThat(registrar.all(ModuleKind.ANALYZER)).hasSize(2);
    }

    @Test
    void aRenewalReplacesTheEntryAndTheLeastLoadedIsFound() {
        registrar.register(module("D1|h:1", 5), LONG);
        registrar.register(module("D2|h:2", 3), LONG);
        registrar.register(module("D2|h:2", 9), LONG);
        registrar.register(module("A1|h:3", 0), LONG);
        assertThat(registrar.all()).hasSize(3);
        assertThat(registrar.leastLoaded(ModuleKind.DOWNLOADER)).contains(module("D1|h:1", 5));
        assertThat(registrar.leastLoaded(ModuleKind.PIPELINE)).isEmpty();
    }

    @Test
    void theEntryOfADeadModuleExpiresAndItsNameIsDropped() {
        registrar.register(module("D1|h:1", 1), Duration.ofMillis(200));
        registrar.register(module("D2|h:2", 1), LONG);
        assertThat(registrar.all()).hasSize(2);
        await().until(() -> registrar.all().size() == 1);
        assertThat(REDIS.command("HKEYS " + RedisKeys.modules(namespace))).isEqualTo("D2|h:2");
    }

    @Test
    void anUnregisteredModuleIsGoneAndClearRemovesAll() {
        registrar.register(module("D1|h:1", 1), LONG);
        registrar.register(module("D2|h:2", 1), LONG);
        registrar.unregister(MID.parse("D1|h:1"));
        registrar.unregister(MID.parse("D7|h:7"));
        assertThat(registrar.all()).containsExactly(module("D2|h:2", 1));
        registrar.clear();
        assertThat(registrar.all()).isEmpty();
        assertThat(registrar.unended()).as("that is no word of theirs").containsOnlyKeys(MID.parse("D2|h:2"));
    }

    @Test
    void aModuleHasNotEndedUntilItSaysSoOrAnotherHasItsAddress() {
        registrar.register(module("D1|h:1", 1), Duration.ofMillis(100));
        registrar.register(module("D2|h:2", 1), Duration.ofMillis(100));
        registrar.register(module("A3|h:33", 1), LONG);
        await().until(() -> registrar.all().size() == 1);
        assertThat(registrar.unended()).containsOnlyKeys(MID.parse("D1|h:1"), MID.parse("D2|h:2"), MID.parse("A3|h:33"))
                .hasValueSatisfying(new Condition<>(ago -> ago.compareTo(LONG) < 0, "just now"));
        registrar.unregister(MID.parse("D2|h:2"));
        registrar.register(module("P7|h:1", 1), LONG);
        assertThat(registrar.unended()).containsOnlyKeys(MID.parse("P7|h:1"), MID.parse("A3|h:33"));
    }

    @Test
    void anUnreadableEntryDoesNotHideOthers() {
        registrar.register(module("D1|h:1", 1), LONG);
        REDIS.command("HSET " + RedisKeys.modules(namespace) + " D2|h:2 99999999999999 D3|h:3 text");
        assertThat(registrar.all()).containsExactly(module("D1|h:1", 1));
    }

    @Test
    void theStoreOfAProcessAndTheToolWithoutKafkaSeeTheSameModules() {
        try (RedisStore store = REDIS.store(namespace)) {
            store.registrar().register(module("C1|h:8080", 0), LONG);
        }
        assertThat(registrar.all()).hasSize(1);
    }

    private static Registration module(String mid, long score) {
        return new Registration(MID.parse(mid), score, new Counts(0, 0, 0, 0, 0, 0), Instant.EPOCH, Map.of(),
                Phase.RUNNING);
    }
}
