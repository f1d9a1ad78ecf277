package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.trawl.model.InvalidValueException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedisUrlTest {
    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"redis://localhost, redis://localhost:6379, -, -, 0",
            "redis://10.0.0.7:7000/3, redis://10.0.0.7:7000, -, -, 3",
            "rediss://ann:secret@redis.example:6380/, rediss://redis.example:6380, ann, secret, 0",
            "redis://:se:cret@h, redis://h:6379, -, se:cret, 0", "redis://secret@h, redis://h:6379, -, secret, 0",
            "redis://a%40b:p%2Fq+%20@h, redis://h:6379, a@b, 'p/q+ ', 0",
            "redis://[::1]:6379, redis://[::1]:6379, -, -, 0"})
    void everyPartIsRead(String text, String address, String user, String password, int database) {
        RedisUrl url = RedisUrl.parse(text);
        assertThat(url.address()).isEqualTo(address);
        assertThat(url.user()).isEqualTo(Optional.ofNullable(user));
        assertThat(url.password()).isEqualTo(Optional.ofNullable(password));
        assertThat(url.database()).isEqualTo(database);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost:6379", "http://localhost", "redis://", "redis://h/db", "redis://h:port",
            "redis://u:hush@h:1/x", "redis://u:hush @h"})
    void anInvalidUrlIsRefusedWithoutShowingThePassword(String text) {
        assertThatExceptionOfType(InvalidValueException.class).isThrownBy(() -> RedisUrl.parse(text)).satisfies(e -> {
            assertThat(e.field()).isEqualTo("TRAWL_REDIS_URL");
            assertThat(e.getMessage()).doesNotContain("hush");
        });
    }

    @Test
    void thePasswordIsNeverShown() {
        assertThat(RedisUrl.parse("redis://ann:hush@h:1/2")).hasToString("redis://h:1/2");
    }
}
