package io.trawl.module;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Json;
import io.trawl.module.StageState.Dependency;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import io.trawl.module.StageState.UnknownPhase;
import io.trawl.module.StageState.WaitingFor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class StageStateTest {
    private static StageState read(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), StageState.class);
    }

    static List<StageState> states() {
        return Stream
                .of(Arrays.stream(Phase.values()),
                        Arrays.stream(Dependency.values()).map(one -> new WaitingFor(one, Optional.of("why"))),
                        Arrays.stream(Dependency.values()).map(WaitingFor::new),
                        Arrays.stream(HoldReason.values()).map(HoldingFor::new))
                .<StageState>flatMap(stream -> stream).toList();
    }

    @ParameterizedTest
    @MethodSource("states")
    void aWrittenStateIsReadAsTheSame(StageState state) {
        assertThat(read(Json.text(state))).isEqualTo(state);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"phase":"running"}                                   | running                     | true
            {"phase":"following"}                                 | following                   | true
            {"phase":"taking-over"}                               | taking over                 | true
            {"phase":"leading"}                                   | leading                     | true
            {"phase":"holding","for":"ANALYZERS"}                 | holding for analyzers       | true
            {"phase":"holding","for":"STOP_SIGN"}                 | holding for stop sign       | true
            {"phase":"starting"}                                  | starting                    | false
            {"phase":"stopping"}                                  | stopping                    | false
            {"phase":"stopped"}                                   | stopped                     | false
            {"phase":"waiting","for":"REDIS","detail":"refused"}  | waiting for redis           | false
            {"phase":"waiting","for":"OUTPUT_FOLDER"}             | waiting for output folder   | false
            """)
    void onlyAStateThatCanWorkIsReady(String json, String text, boolean ready) {
        StageState state = read(json);
        assertThat(state.text()).isEqualTo(text);
        assertThat(state.ready()).isEqualTo(ready);
        assertThat(Json.text(state)).isEqualTo(json);
    }

    @Test
    void statesOfANewerVersionAreRead() {
        String newer = "{\"phase\":\"dreaming\",\"for\":\"SHEEP\",\"detail\":\"electric\"}";
        assertThat(read(newer)).isInstanceOf(UnknownPhase.class).returns("dreaming for sheep", StageState::text)
                .returns(false, StageState::ready);
        assertThat(Json.text(read(newer))).isEqualTo(newer);
        assertThat(read("{\"phase\":\"waiting\",\"for\":\"GODOT\",\"until\":\"evening\"}"))
                .isEqualTo(new WaitingFor(Dependency.OTHER));
        assertThat(read("{\"phase\":\"holding\",\"for\":\"SALE\"}")).isEqualTo(new HoldingFor(HoldReason.OTHER));
    }
}
