package io.trawl.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.access.Access.Verdict;
import io.trawl.model.Role;
import io.trawl.settings.InvalidSettings;
import io.trawl.settings.SettingsReader;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTest {
    private static final Map<String, String> TOKENS = Map.of("trawl.api.read-token", "reader-token-0001", "trawl.api.write-token",
            "writer-token-0001");

    private static Access access(Map<String, String> first, String... more) {
        Map<String, String> all = new HashMap<>(first);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return Access.of(SettingsReader.from(all));
    }

    @Test
    void withoutTokensALoopbackAddressIsOpenAndAnyOtherIsClosed() {
        assertThat(access(Map.of()).anonymous()).isEqualTo(Role.WRITE);
        Access outside = access(Map.of(), "trawl.http.bind", "0.0.0.0");
        assertThat(outside.closed()).isTrue();
        assertThat(outside.judge(Optional.empty(), Role.READ)).isEqualTo(Verdict.UNKNOWN);
        assertThat(access(Map.of(), "trawl.http.bind", "0.0.0.0", "trawl.api.anonymous", "read").judge(Optional.empty(),
                Role.READ)).isEqualTo(Verdict.GRANTED);
    }

    @ParameterizedTest(name = "{0} asking to {1}: {2}")
    @CsvSource(nullValues = "-", value = {"-, READ, UNKNOWN", "Bearer reader-token-0001, READ, GRANTED",
            "Bearer reader-token-0001, WRITE, FORBIDDEN",
            "Bearer writer-token-0001, WRITE, GRANTED", "bearer  writer-token-0001, READ, GRANTED",
            "Bearer writer-token-0002, READ, UNKNOWN",
            "Basic d3JpdGVyLXRva2VuLTAwMDE=, READ, UNKNOWN", "Bearer , READ, UNKNOWN"})
    void aTokenGivesItsRoleAndNoOther(String header, Role needed, Verdict verdict) {
        assertThat(access(TOKENS).judge(Optional.ofNullable(header), needed)).isEqualTo(verdict);
        assertThat(access(TOKENS, "trawl.http.bind", "0.0.0.0").judge(Optional.ofNullable(header), needed)).isEqualTo(verdict);
    }

    @Test
    void theAnonymousMayReadWhereTheSettingsSaySo() {
        Access access = access(TOKENS, "trawl.api.anonymous", "read");
        assertThat(access.judge(Optional.empty(), Role.READ)).isEqualTo(Verdict.GRANTED);
        assertThat(access.judge(Optional.empty(), Role.WRITE)).isEqualTo(Verdict.UNKNOWN);
        assertThat(access.credentials()).contains("Bearer writer-token-0001");
    }

    @Test
    void aTokenThatCouldBeGuessedOrNotBeSentIsRefusedWithoutShowingIt() {
        assertThatThrownBy(() -> access(Map.of(), "trawl.api.read-token", "short", "trawl.api.write-token", "with a space in it"))
                .isInstanceOf(InvalidSettings.class)
                .hasMessageContaining("TRAWL_API_READ_TOKEN").hasMessageContaining("TRAWL_API_WRITE_TOKEN")
                .hasMessageNotContaining("short").hasMessageNotContaining("with a space");
        assertThatThrownBy(() -> access(TOKENS, "trawl.api.anonymous", "all")).isInstanceOf(InvalidSettings.class)
                .hasMessageContaining("none, read or write");
    }
}
