package io.trawl.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.PolitenessKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void everySettingHasADefaultOrIsOptional() {
        Settings settings = SettingsReader.from(Map.of());

        assertThat(settings.kafka().bootstrapServers()).isEqualTo("localhost:9092");
        assertThat(settings.downloader().responseTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.allowNetwork()).isEmpty();
        assertThat(settings.out()).isEqualTo(Path.of("pages"));
    }

    @Test
    void allFaultsAreReportedAtOnceEachWithVariableValueAndRule() {
        assertThatThrownBy(() -> SettingsReader.from(Map.of("trawl.topics.levels", "11", "trawl.downloader.concurrency",
                "0", "trawl.namespace", "a b", "trawl.http.port", "70000")))
                .isInstanceOfSatisfying(InvalidSettingsException.class,
                        e -> assertThat(e.lines()).hasSize(4)
                                .anySatisfy(f -> assertThat(f).contains("TRAWL_TOPICS_LEVELS", "'11'", "1 to 10"))
                                .anySatisfy(f -> assertThat(f).contains("TRAWL_DOWNLOADER_CONCURRENCY", "'0'"))
                                .anySatisfy(f -> assertThat(f).contains("TRAWL_NAMESPACE", "'a b'"))
                                .anySatisfy(f -> assertThat(f).contains("TRAWL_HTTP_PORT", "'70000'")));
    }

    @Test
    void aValueOfTheWrongTypeIsReportedWithItsVariable() {
        assertThatThrownBy(() -> SettingsReader.from(Map.of("trawl.grace", "soon", "trawl.topics.levels", "many")))
                .isInstanceOfSatisfying(InvalidSettingsException.class,
                        e -> assertThat(e.lines()).containsExactlyInAnyOrder(
                                "TRAWL_GRACE: 'soon' is not valid: a number with a unit of ms, s, m, h or d, for example 500ms or 2s",
                                "TRAWL_TOPICS_LEVELS: 'many' is not valid: a whole number"));
    }

    @Test
    void valuesOfTheWrongTypeDoNotHideOtherFaults() {
        assertThatThrownBy(() -> SettingsReader.from(
                Map.of("trawl.topics.levels", "two", "trawl.ledger.cache", "99999999999", "trawl.traces.share", "half",
                        "trawl.api.anonymous", "all", "trawl.downloader.shares", "1,x", "trawl.http.port", "70000")))
                .isInstanceOfSatisfying(InvalidSettingsException.class,
                        e -> assertThat(e.lines()).contains("TRAWL_TOPICS_LEVELS: 'two' is not valid: a whole number",
                                "TRAWL_LEDGER_CACHE: '99999999999' is not valid: a number that is not so large",
                                "TRAWL_TRACES_SHARE: 'half' is not valid: a number",
                                "TRAWL_DOWNLOADER_SHARES: '1,x' is not valid: a whole number",
                                "TRAWL_HTTP_PORT: '70000' is not valid: 0 to 65535").hasSize(6));
    }

    @Test
    void aMisspeltVariableIsNamedWithTheNearestSetting() {
        assertThat(SettingsReader
                .ineffective(Set.of("PATH", "TRAWL_OUT", "TRAWL_API_TOKEN", "TRAWL_DOWNLOADER_CONCURENCY", "TRAWL_X")))
                .containsExactly(
                        "TRAWL_DOWNLOADER_CONCURENCY is set, but there is no such setting: did you mean TRAWL_DOWNLOADER_CONCURRENCY?",
                        "TRAWL_X is set, but there is no such setting");
    }

    /** As in the images, which have no default server addresses. */
    @Test
    void anEmptySettingIsMissing() {
        assertThatThrownBy(
                () -> SettingsReader.from(Map.of("trawl.kafka.bootstrap-servers", "", "trawl.redis.url", "")))
                .isInstanceOfSatisfying(InvalidSettingsException.class,
                        e -> assertThat(e.lines()).containsExactlyInAnyOrder(
                                "TRAWL_KAFKA_BOOTSTRAP_SERVERS: '' is not valid: it must be set",
                                "TRAWL_REDIS_URL: '' is not valid: it must be set"));
    }

    @Test
    void anUnknownPolitenessKeyIsReportedWithTheValidOnes() {
        assertThat(SettingsReader.from(Map.of("trawl.politeness-key", "domain")).politenessKey())
                .isEqualTo(PolitenessKey.DOMAIN);
        assertThat(SettingsReader.from(Map.of("trawl.politeness-key", "ip")).politenessKey())
                .isEqualTo(PolitenessKey.IP);
        assertThatThrownBy(() -> SettingsReader.from(Map.of("trawl.politeness-key", "url", "trawl.topics.levels", "0")))
                .isInstanceOfSatisfying(InvalidSettingsException.class, e -> assertThat(e.lines()).first().asString()
                        .startsWith("TRAWL_POLITENESS_KEY: 'url' is not valid: one of host, domain, ip"));
    }

    @Test
    void sharesArePositiveNumbersAndAbsentByDefault() {
        assertThat(SettingsReader.from(Map.of("trawl.downloader.shares", "90, 7,3")).downloader().shares())
                .contains(List.of(90, 7, 3));
        assertThat(SettingsReader.from(Map.of("trawl.downloader.shares", "")).downloader().shares()).isEmpty();
        assertThatThrownBy(() -> SettingsReader.from(Map.of("trawl.downloader.shares", "90,0,3")))
                .isInstanceOf(InvalidSettingsException.class)
                .hasMessageContaining("TRAWL_DOWNLOADER_SHARES: '0' is not valid: 1 to 1000000");
        assertThatThrownBy(() -> SettingsReader.from(Map.of("trawl.downloader.shares", "90;7;3")))
                .isInstanceOf(InvalidSettingsException.class).hasMessageContaining("TRAWL_DOWNLOADER_SHARES: ");
    }

    @Test
    void rulesBesideSettingsHoldForNumbersTimesTextsAndChoicesAndNeverShowASecret() {
        Map<String, String> broken = Map.of("trawl.lease", "999ms", "trawl.downloader.lease", "11m",
                "trawl.traces.share", "1.5", "trawl.log.level", "LOUD", "trawl.http.hosts", "ok.example.org, a b",
                "trawl.api.read-token", "short", "trawl.downloader.http2", "perhaps", "trawl.serials.largest", "1",
                "trawl.serials.start", "2");
        assertThatThrownBy(() -> SettingsReader.from(broken)).isInstanceOfSatisfying(InvalidSettingsException.class,
                e -> assertThat(e.lines()).containsExactly(
                        "TRAWL_API_READ_TOKEN: '(hidden)' is not valid: 16 to 256 letters, digits or any of . _ ~ + / = -",
                        "TRAWL_DOWNLOADER_HTTP2: 'perhaps' is not valid: true or false",
                        "TRAWL_DOWNLOADER_LEASE: '11m' is not valid: 2s to 10m",
                        "TRAWL_HTTP_HOSTS: 'a b' is not valid: names such as crawl.example.org, without a port",
                        "TRAWL_LEASE: '999ms' is not valid: at least 1s",
                        "TRAWL_LOG_LEVEL: 'LOUD' is not valid: ERROR, WARN, INFO, DEBUG",
                        "TRAWL_SERIALS_START: '2' is not valid: 1 to 1",
                        "TRAWL_TRACES_SHARE: '1.5' is not valid: 0 to 1"));
    }

    @Test
    void commasBehindABackslashBelongToAnElement() {
        assertThat(
                SettingsReader.from(Map.of("trawl.downloader.browser-arguments", "--window-size=1\\,2, --no-sandbox"))
                        .downloader().browserArguments())
                .contains(List.of("--window-size=1,2", "--no-sandbox"));
    }
}
