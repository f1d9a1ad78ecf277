package io.trawl.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MIDTest {
    @Property
    void aPrintedMidIsParsedAsTheSame(@ForAll ModuleKind kind, @ForAll @LongRange(min = 0) long serial,
            @ForAll @AlphaChars @StringLength(min = 1, max = 30) String host,
            @ForAll @IntRange(min = 1, max = 65535) int port) {
        MID mid = new MID(kind, serial, host, port);

        assertThat(MID.parse(mid.toString())).isEqualTo(mid);
        assertThat(mid.toString()).startsWith(Character.toString(kind.letter())).endsWith("|" + mid.address());
    }

    @ParameterizedTest
    @ValueSource(strings = {"D3|10.0.0.7:8081", "A0|localhost:1", "P9223372036854775807|x.example:65535",
            "C1|[::1]:8080"})
    void validMidsAreParsed(String text) {
        assertThat(MID.parse(text)).hasToString(text);
    }

    @Test
    void aPersonMayLeaveTheAddressOut() {
        MID mid = MID.parse("D3|10.0.0.7:8081");
        assertThat(List.of("D3", "D3|10.0.0.7:8081")).allMatch(mid::isNamed);
        assertThat(List.of("D", "D33", "A3", "D3|", "D3|10.0.0.7:8082")).noneMatch(mid::isNamed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "D", "D3", "D3|", "D3|host", "D3|host:", "D3|host:0", "D3|host:65536", "D3|host:99999",
            "X3|host:1", "d3|host:1", "D|host:1", "D-1|host:1", "D01|host:1", "D3|:1", "D3|a b:1", "D3|::1:8080",
            "D3|[::1:80", "D3 |host:1", "D3|host:1 ", "D3||host:1", "D9223372036854775808|host:1", "D3|host:+1"})
    void invalidMidsAreRefusedWithFieldValueAndRule(String text) {
        assertThatThrownBy(() -> MID.parse(text)).isInstanceOf(InvalidValueException.class).hasMessageContaining("MID");
    }
}
