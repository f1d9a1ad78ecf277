package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RedisScriptTest {
    /** The key of a command, or a part of a name of KEYS, as the part of a longer text. */
    private static final Pattern MADE = Pattern.compile("call\\('[A-Z]+', [^,)]*\\.\\.|KEYS\\[[^]]*]\\s*\\.\\.");

    @ParameterizedTest
    @EnumSource(RedisScript.class)
    void aScriptMakesNoNameOfAKey(RedisScript script) {
        assertThat(script.text()).doesNotContainPattern(MADE);
    }
}
