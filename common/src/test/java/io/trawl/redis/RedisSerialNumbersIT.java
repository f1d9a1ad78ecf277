package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.trawl.model.InvalidValueException;
import io.trawl.model.ModuleKind;
import io.trawl.module.SerialNumbers.SerialNumberLostException;
import io.trawl.module.SerialNumbers.Position;
import io.trawl.module.SerialNumbers.SerialRange;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisSerialNumbersIT {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final ModuleKind KIND = ModuleKind.DOWNLOADER;
    private final String namespace = TestRedis.namespace();
    private final RedisModuleStore one = RedisModuleStore.connect(RedisServers.at(REDIS.url()), namespace,
            Time.system());
    private final RedisModuleStore two = RedisModuleStore.connect(RedisServers.at(REDIS.url()), namespace,
            Time.system());

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    @Test
    void numbersStartAtOneForEachKind() {
        RedisSerialNumbers numbers = one.serialNumbers(LONG);
        assertThat(List.of(numbers.take(KIND), numbers.take(KIND), numbers.take(ModuleKind.ANALYZER)))
                .containsExactly(1L, 2L, 1L);
        assertThat(numbers.position(KIND)).isEqualTo(new Position(1, RedisSerialNumbers.DEFAULT_MAX, 3, 0));
    }

    @Test
    void numbersWrapAroundAndSkipThoseInUse() {
        RedisSerialNumbers numbers = one.serialNumbers(LONG, () -> new SerialRange(1, 4));
        RedisSerialNumbers others = two.serialNumbers(LONG, () -> new SerialRange(1, 4));
        assertThat(List.of(numbers.take(KIND), others.take(KIND), numbers.take(KIND), others.take(KIND)))
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(numbers.position(KIND)).isEqualTo(new Position(1, 4, 1, 1));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> numbers.take(KIND))
                .withMessage("serialsLargest: '4' is not valid: larger, since live processes of kind downloader "
                        + "hold all numbers from 1 to 4");
        assertThat(numbers.position(KIND)).as("a refused call is no cycle").isEqualTo(new Position(1, 4, 1, 1));
        numbers.release(KIND, 3);
        assertThat(others.take(KIND)).isEqualTo(3);
        others.release(KIND, 2);
        numbers.release(KIND, 1);
        assertThat(numbers.take(KIND)).isEqualTo(1);
        assertThat(numbers.take(KIND)).isEqualTo(2);
    }

    @Test
    void numbersWrapAroundToTheirStart() {
        RedisSerialNumbers numbers = one.serialNumbers(LONG, () -> new SerialRange(7, 9));
        assertThat(numbers.position(KIND)).isEqualTo(new Position(7, 9, 7, 0));
        assertThat(List.of(numbers.take(KIND), numbers.take(KIND), numbers.take(KIND))).containsExactly(7L, 8L, 9L);
        numbers.release(KIND, 8);
        assertThat(numbers.take(KIND)).isEqualTo(8);
        assertThat(numbers.position(KIND)).isEqualTo(new Position(7, 9, 9, 1));
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> numbers.take(KIND))
                .withMessageContaining("from 7 to 9");
    }

    @Test
    void theLargestMaximumIsCountedExactly() {
        RedisSerialNumbers numbers = one.serialNumbers(LONG, () -> new SerialRange(1, SerialRange.LARGEST));
        REDIS.command("HSET " + RedisKeys.serials(namespace, KIND) + " next " + (SerialRange.LARGEST - 1));
        assertThat(List.of(numbers.take(KIND), numbers.take(KIND), numbers.take(KIND)))
                .containsExactly(SerialRange.LARGEST - 1, SerialRange.LARGEST, 1L);
        assertThat(numbers.position(KIND).cycles()).isEqualTo(1);
        assertThatIllegalArgumentException().isThrownBy(() -> new SerialRange(1, 1L << 53));
        assertThatIllegalArgumentException().isThrownBy(() -> new SerialRange(1, 0));
    }

    @Test
    void aNumberIsFreeWhenItsLeaseHasExpired() {
        RedisSerialNumbers dead = one.serialNumbers(Duration.ofMillis(200), () -> new SerialRange(1, 1));
        RedisSerialNumbers next = two.serialNumbers(LONG, () -> new SerialRange(1, 1));
        assertThat(dead.take(KIND)).isEqualTo(1);
        await().ignoreExceptions().until(() -> next.take(KIND) == 1);
        assertThatExceptionOfType(SerialNumberLostException.class).isThrownBy(() -> dead.renew(KIND, 1))
                .withMessageContaining("D1");
        dead.release(KIND, 1);
        next.renew(KIND, 1);
    }

    @Test
    void aRenewalRestoresALeaseThatRedisHasLost() {
        RedisSerialNumbers numbers = one.serialNumbers(LONG, () -> new SerialRange(1, 2));
        assertThat(numbers.take(KIND)).isEqualTo(1);
        REDIS.keys(namespace + "*").forEach(key -> REDIS.command("DEL " + key));
        numbers.renew(KIND, 1);
        assertThat(two.serialNumbers(LONG, () -> new SerialRange(1, 2)).take(KIND)).isEqualTo(2);
    }

    @Test
    void noTwoProcessesEverHoldTheSameNumber() throws Exception {
        Set<Long> held = ConcurrentHashMap.newKeySet();
        List<Future<?>> all = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 12; i++) {
                RedisSerialNumbers numbers = (i % 2 == 0 ? one : two).serialNumbers(LONG, () -> new SerialRange(1, 13));
                all.add(threads.submit(() -> {
                    for (int round = 0; round < 40; round++) {
                        long number = numbers.take(KIND);
                        assertThat(held.add(number)).as("%d was free", number).isTrue();
                        numbers.renew(KIND, number);
                        held.remove(number);
                        numbers.release(KIND, number);
                    }
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        // Some of the 480 calls tried more than one number.
        assertThat(one.serialNumbers(LONG, () -> new SerialRange(1, 13)).position(KIND).cycles())
                .isGreaterThanOrEqualTo(480 / 13);
    }
}
