package io.trawl.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.http.TokenFile.Quota;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.InvalidSettingsException;
import io.trawl.settings.Role;
import io.trawl.settings.SettingsReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenFileTest {
    private static final String OLD = "ann-token-of-last-year";
    private static final String NEW = "ann-token-of-this-year";
    private static final String SHOP = "shop-token-0123456789";
    private static final String TEAM = """
            {"tokens":[{"name":"ann","role":"administer","token":"%s"},{"name":"ann","role":"administer","sha256":"%s"},
                       {"name":"shop","role":"operate","prefix":"shop-","token":"%s"},
                       {"name":"wall","role":"look","token":"wall-token-0123456789"}],
             "quotas":[{"prefix":"shop-","crawls":2,"pagesPerDay":100}]}""".formatted(OLD, sha256(NEW), SHOP);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-22T12:00:00Z"));
    @TempDir
    Path folder;

    private static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private Map<String, String> settings(String json) throws IOException {
        Path file = Files.writeString(folder.resolve("tokens.json"), json);
        return new HashMap<>(Map.of("trawl.api.tokens-file", file.toString(), "trawl.api.internal-key",
                "internal-key-0001", "trawl.api.read-token", "reader-token-0001"));
    }

    private static CallHead bearing(String token) {
        return new CallHead("GET", "/",
                name -> Optional.of("Bearer " + token).filter(_ -> name.equals("Authorization")));
    }

    private static int status(Access access, String token, Role needed, Optional<String> crawl) {
        try {
            access.admit(bearing(token), needed, crawl, () -> "10.0.0.7:8080");
            return 200;
        } catch (CallRefusedException e) {
            return e.status();
        }
    }

    @Test
    void twoTokensOfOneNameAreValidAndTellWhoCalls() throws Exception {
        Access access = Access.of(SettingsReader.from(settings(TEAM)), now::get);
        for (String token : new String[]{OLD, NEW}) {
            Caller ann = access.admit(bearing(token), Role.WRITE, Optional.empty(), () -> "");
            assertThat(ann.name()).isEqualTo("ann");
        }
        assertThat(access.admit(bearing("reader-token-0001"), Role.READ, Optional.empty(), () -> "").name())
                .isEqualTo("read");
        assertThat(status(access, sha256(NEW), Role.READ, Optional.empty())).as("a digest is no token").isEqualTo(401);
    }

    @ParameterizedTest(name = "{0} to {1} {2}: {3}")
    @CsvSource(nullValues = "-", value = {"shop-token-0123456789, READ, -, 200",
            "shop-token-0123456789, WRITE, shop-a, 200", "shop-token-0123456789, WRITE, docs, 403",
            "shop-token-0123456789, WRITE, sho, 403", "shop-token-0123456789, WRITE, -, 403",
            "wall-token-0123456789, READ, docs, 200", "wall-token-0123456789, WRITE, docs, 403",
            "reader-token-0001, WRITE, docs, 403", "ann-token-of-last-year, WRITE, -, 200",
            "other-token-0123456789, READ, -, 401"})
    void aTokenLooksOperatesItsPrefixOrAdministers(String token, Role needed, String crawl, int status)
            throws Exception {
        Access access = Access.of(SettingsReader.from(settings(TEAM)), now::get);
        assertThat(status(access, token, needed, Optional.ofNullable(crawl))).isEqualTo(status);
    }

    @Test
    void aChangedFileIsReadAgainAndADefectiveOneIsIgnored() throws Exception {
        Map<String, String> settings = settings(TEAM);
        Path file = Path.of(settings.get("trawl.api.tokens-file"));
        TokenFile tokens = TokenFile.of(SettingsReader.from(settings), now::get);
        assertThat(tokens.quotas())
                .containsExactly(new Quota("shop-", Optional.of(2L), Optional.empty(), Optional.of(100L)));
        change(file, TEAM.replace(OLD, "ann-token-of-next-year"), 1);
        assertThat(tokens.caller(OLD)).isEmpty();
        assertThat(tokens.caller("ann-token-of-next-year").orElseThrow().name()).isEqualTo("ann");
        change(file, "{\"tokens\":[{\"name\":\"ann\"", 2);
        assertThat(tokens.caller(SHOP)).as("the last good file").isPresent();
        change(file, TEAM, 3);
        assertThat(tokens.caller(OLD)).isPresent();
    }

    private void change(Path file, String json, int minutes) throws IOException {
        Files.writeString(file, json);
        Files.setLastModifiedTime(file, FileTime.from(now.get().plusSeconds(60L * minutes)));
        now.updateAndGet(moment -> moment.plusSeconds(2));
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "{\"tokens\":[{\"name\":\"ann\",\"role\":\"admin\",\"token\":\"0123456789abcdef\"}]}|tokens[0].role: 'admin' is not valid: look, operate or administer",
            "{\"tokens\":[{\"name\":\"ann\",\"role\":\"operate\",\"token\":\"0123456789abcdef\"}]}|tokens[0].prefix: '' is not valid",
            "{\"tokens\":[{\"name\":\"ann\",\"role\":\"look\",\"token\":\"secret\"}]}|tokens[0].token: '(hidden)' is not valid",
            "{\"tokens\":[{\"name\":\"ann\",\"role\":\"look\"}]}|either token, or else sha256",
            "{\"tokens\":[{\"role\":\"look\",\"token\":\"0123456789abcdef\"}]}|tokens[0].name: '' is not valid: it is required",
            "{\"quotas\":[{\"prefix\":\"shop-\",\"crawls\":-1}]}|quotas[0].crawls: 0 to",
            "{\"quotas\":[{\"prefix\":\"shop-\",\"crawls\":\"2\"}]}|quotas[0].crawls: a whole number",
            "[]|an object with the fields quotas, tokens"})
    void aFileThatBreaksARuleIsAFaultAtTheStart(String json, String fault) throws Exception {
        assertThatThrownBy(() -> TokenFile.of(SettingsReader.from(settings(json)), now::get))
                .isInstanceOf(InvalidValueException.class).hasMessageContaining("TRAWL_API_TOKENS_FILE: ")
                .hasMessageContaining(fault).hasMessageNotContaining("secret'");
    }

    @Test
    void aFileOfTokensNeedsTheKeyThatSignsCalls() throws Exception {
        Map<String, String> settings = settings(TEAM);
        settings.remove("trawl.api.internal-key");
        assertThatThrownBy(() -> SettingsReader.from(settings)).isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("TRAWL_API_INTERNAL_KEY");
    }
}
