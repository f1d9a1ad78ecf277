package io.trawl.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.codec.Json;
import io.trawl.model.InvalidValueException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextPatternTest {
    @Test
    void itFindsTheFirstGroupOfEachMatchOrAllOfIt() {
        TextPattern group = TextPattern.parse("p/([0-9]+)|q");
        assertThat(group.all("/p/1 q /p/22 /p/x /p/3", 2)).containsExactly("1", "22");
        assertThat(TextPattern.parse("[a-z]+").all("ab 1 cd", 10)).containsExactly("ab", "cd");
        assertThat(group.found("..q")).isTrue();
        assertThat(group.found("p/x")).isFalse();
    }

    @Test
    void aReplacementIsTakenAsItIs() {
        assertThat(TextPattern.parse("(a)").replaced("bab", "$1\\")).isEqualTo("b$1\\b");
    }

    @Test
    void itTakesTimeInProportionToTheText() {
        String text = "a".repeat(100_000);
        org.junit.jupiter.api.Assertions.assertTimeout(Duration.ofSeconds(20),
                () -> assertThat(TextPattern.parse("(a*)*b").found(text)).isFalse());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "(", "(?=a)", "\\1", "a**"})
    void whatIsNoExpressionOfRe2IsRefusedWithTheText(String text) {
        assertThatThrownBy(() -> TextPattern.parse(text)).isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("pattern: '" + text + "' is not valid: a regular expression of ");
    }

    @Test
    void itIsWrittenAsItWasRead() {
        TextPattern read = Json.mapper().convertValue("a|b", TextPattern.class);
        assertThat(read).isEqualTo(TextPattern.parse("a|b")).hasSameHashCodeAs(TextPattern.parse("a|b"));
        assertThat(Json.text(read)).isEqualTo("\"a|b\"");
    }
}
