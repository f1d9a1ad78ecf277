package io.trawl.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.PolitenessKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
        assertThatThrownBy(() -> SettingsReader
                .from(Map.of("trawl.topics.levels", "11", "trawl.downloader.concurrency", "0", "trawl.namespace", "a b",
                        "trawl.http.port", "70000")))
                .isInstanceOfSatisfying(InvalidSettingsException.class,
                        e -> assertThat(e.faults()).hasSize(4)
                                .anySatisfy(f -> assertThat(f).contains("TRAWL_TOPICS_LEVELS", "'11'", "1 to 10"))
                                .anySatisfy(f -> assertThat(f).contains("TRAWL_DOWNLOADER_CONCURRENCY", "'0'"))
                                .anySatisfy(f -> assertThat(f).contains("TRAWL_NAMESPACE", "'a b'"))
                                .anySatisfy(f -> assertThat(f).contains("TRAWL_HTTP_PORT", "'70000'")));
    }

    @Test
    void aValueOfTheWrongTypeIsReportedWithItsVariable() {
        assertThatThrownBy(() -> SettingsReader.from(Map.of("trawl.grace", "soon", "trawl.topics.levels", "many")))
                .isInstanceOfSatisfying(InvalidSettingsException.class,
                        e -> assertThat(e.faults()).containsExactlyInAnyOrder(
                                "TRAWL_GRACE: 'soon' is not valid: a number with a unit of ms, s, m or h, for example 500ms or 2s",
                                "TRAWL_TOPICS_LEVELS: 'many' is not valid: Expected an integer value, got \"many\""));
    }

    /** As in the images, which have no default server addresses. */
    @Test
    void anEmptySettingIsMissing() {
        assertThatThrownBy(() -> SettingsReader.from(Map.of("trawl.kafka.bootstrap-servers", "", "trawl.redis.url", "")))
                .isInstanceOfSatisfying(InvalidSettingsException.class,
                        e -> assertThat(e.faults()).containsExactlyInAnyOrder(
                                "TRAWL_KAFKA_BOOTSTRAP_SERVERS: '' is not valid: it must be set",
                                "TRAWL_REDIS_URL: '' is not valid: it must be set"));
    }

    @Test
    void anUnknownPolitenessKeyIsReportedWithTheValidOnes() {
        assertThat(SettingsReader.from(Map.of("trawl.politeness-key", "domain")).politenessKey()).isEqualTo(PolitenessKey.DOMAIN);
        assertThat(SettingsReader.from(Map.of("trawl.politeness-key", "ip")).politenessKey()).isEqualTo(PolitenessKey.IP);
        assertThatThrownBy(() -> SettingsReader.from(Map.of("trawl.politeness-key", "url", "trawl.topics.levels", "0")))
                .isInstanceOfSatisfying(InvalidSettingsException.class, e -> assertThat(e.faults()).first().asString()
                        .startsWith("TRAWL_POLITENESS_KEY: 'url' is not valid: host, domain or ip"));
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
}
