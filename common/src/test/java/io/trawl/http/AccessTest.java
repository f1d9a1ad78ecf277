package io.trawl.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.settings.InvalidSettingsException;
import io.trawl.settings.Role;
import io.trawl.settings.SettingsReader;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessTest {
    private static final String ADDRESS = "10.0.0.7:8081";
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final byte[] BODY = {1, 2, 3};
    private static final Map<String, String> TOKENS = Map.of("trawl.api.read-token", "reader-token-0001",
            "trawl.api.write-token", "writer-token-0001");

    private static Access access(Map<String, String> first, String... more) {
        Map<String, String> all = new HashMap<>(first);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return Access.of(SettingsReader.from(all), () -> NOW);
    }

    /** 200 if the call is let in. */
    private static int status(Access access, Map<String, String> headers, Role needed) {
        try {
            access.admit(new CallHead("GET", "/", name -> Optional.ofNullable(headers.get(name))), needed,
                    Optional.empty(), () -> ADDRESS);
            return 200;
        } catch (CallRefusedException e) {
            return e.status();
        }
    }

    @Test
    void withoutTokensALoopbackAddressIsOpenAndAnyOtherIsClosed() {
        assertThat(status(access(Map.of()), Map.of(), Role.WRITE)).isEqualTo(200);
        Access outside = access(Map.of(), "trawl.http.bind", "0.0.0.0");
        assertThatThrownBy(() -> outside.admit(new CallHead("GET", "/", _ -> Optional.empty()), Role.READ,
                Optional.empty(), () -> ADDRESS)).hasMessageContaining("no token is set");
        assertThat(status(outside, Map.of(), Role.READ)).isEqualTo(401);
        assertThat(status(access(Map.of(), "trawl.http.bind", "0.0.0.0", "trawl.api.anonymous", "read"), Map.of(),
                Role.READ)).isEqualTo(200);
    }

    @ParameterizedTest(name = "{0} asking to {1}: {2}")
    @CsvSource(nullValues = "-", value = {"-, READ, 401", "Bearer reader-token-0001, READ, 200",
            "Bearer reader-token-0001, WRITE, 403", "Bearer writer-token-0001, WRITE, 200",
            "bearer  writer-token-0001, READ, 200", "Bearer writer-token-0002, READ, 401",
            "Basic d3JpdGVyLXRva2VuLTAwMDE=, READ, 401", "Bearer , READ, 401"})
    void aTokenGivesItsRoleAndNoOther(String header, Role needed, int status) {
        Map<String, String> headers = header == null ? Map.of() : Map.of("Authorization", header);
        assertThat(status(access(TOKENS), headers, needed)).isEqualTo(status);
        assertThat(status(access(TOKENS, "trawl.http.bind", "0.0.0.0"), headers, needed)).isEqualTo(status);
    }

    @Test
    void theAnonymousMayReadWhereTheSettingsSaySo() {
        Access access = access(TOKENS, "trawl.api.anonymous", "read");
        assertThat(status(access, Map.of(), Role.READ)).isEqualTo(200);
        assertThat(status(access, Map.of(), Role.WRITE)).isEqualTo(401);
    }

    private static int signed(Access access, String key, CallHead call, String address, byte[] body, Instant at,
            Role needed) {
        Map<String, String> headers = CallSignature.by(key).headers("PUT", address, "/api/v1/crawls/docs?start=true",
                Optional.of(body), at, Optional.empty());
        return status(access, headers, call, needed);
    }

    private static int status(Access access, Map<String, String> headers, CallHead call, Role needed) {
        try {
            CallHead head = new CallHead(call.method(), call.target(), name -> Optional.ofNullable(headers.get(name)));
            access.admit(head, needed, Optional.empty(), () -> ADDRESS);
            CallSignature.checkDigest(head, BODY);
            return 200;
        } catch (CallRefusedException e) {
            return e.status();
        }
    }

    @Test
    void aSignatureIsValidForOneCallAtOneAddressForAMinute() {
        Access access = access(TOKENS);
        String key = "writer-token-0001";
        CallHead call = new CallHead("PUT", "/api/v1/crawls/docs?start=true", _ -> Optional.empty());
        assertThat(signed(access, key, call, ADDRESS, BODY, NOW.minusSeconds(59), Role.WRITE)).isEqualTo(200);
        assertThat(signed(access, key, call, "10.6.6.6:666", BODY, NOW, Role.WRITE)).as("made for a false address")
                .isEqualTo(401);
        assertThat(signed(access, key, call, ADDRESS, BODY, NOW.minusSeconds(61), Role.WRITE)).as("old").isEqualTo(401);
        assertThat(signed(access, key, call, ADDRESS, BODY, NOW.plusSeconds(61), Role.WRITE)).as("of the future")
                .isEqualTo(401);
        assertThat(signed(access, key, call, ADDRESS, new byte[1], NOW, Role.WRITE)).as("another body").isEqualTo(400);
        CallHead other = new CallHead("PUT", "/api/v1/crawls/other", _ -> Optional.empty());
        assertThat(signed(access, key, other, ADDRESS, BODY, NOW, Role.WRITE)).as("another path").isEqualTo(401);
        CallHead method = new CallHead("DELETE", call.target(), _ -> Optional.empty());
        assertThat(signed(access, key, method, ADDRESS, BODY, NOW, Role.WRITE)).as("another method").isEqualTo(401);
    }

    @Test
    void aSignatureHasTheRoleOfItsTokenAndTheInternalKeyIsNoToken() {
        CallHead call = new CallHead("PUT", "/api/v1/crawls/docs?start=true", _ -> Optional.empty());
        assertThat(signed(access(TOKENS), "reader-token-0001", call, ADDRESS, BODY, NOW, Role.READ)).isEqualTo(200);
        assertThat(signed(access(TOKENS), "reader-token-0001", call, ADDRESS, BODY, NOW, Role.WRITE)).isEqualTo(403);
        Access internal = access(TOKENS, "trawl.api.internal-key", "internal-key-0001");
        assertThat(signed(internal, "internal-key-0001", call, ADDRESS, BODY, NOW, Role.WRITE)).isEqualTo(200);
        assertThat(status(internal, Map.of("Authorization", "Bearer internal-key-0001"), Role.READ)).isEqualTo(401);
    }

    @Test
    void noTokenIsInASignature() {
        assertThat(CallSignature.by("writer-token-0001")
                .headers("GET", ADDRESS, "/", Optional.empty(), NOW, Optional.empty()).toString())
                .doesNotContain("writer-token-0001");
    }

    @Test
    void aTokenThatCouldBeGuessedOrNotBeSentIsRefusedWithoutShowingIt() {
        assertThatThrownBy(
                () -> access(Map.of(), "trawl.api.read-token", "short", "trawl.api.write-token", "with a space in it"))
                .isInstanceOf(InvalidSettingsException.class).hasMessageContaining("TRAWL_API_READ_TOKEN")
                .hasMessageContaining("TRAWL_API_WRITE_TOKEN").hasMessageNotContaining("short")
                .hasMessageNotContaining("with a space");
        assertThatThrownBy(() -> access(TOKENS, "trawl.api.anonymous", "all"))
                .isInstanceOf(InvalidSettingsException.class).hasMessageContaining("one of none, read, write");
    }
}
