package io.trawl.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.trawl.channel.KafkaClients;
import io.trawl.model.InvalidValueException;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The exceptions of Kafka's client for invalid addresses and settings. */
class StartupConnectionsTest {
    /** A label this long is invalid, so the name is not looked up. */
    private static final String UNKNOWN = "x".repeat(64) + ":9092";

    private static RuntimeException refused(Map<String, String> more) {
        Settings settings = SettingsReader.from(more);
        KafkaException e = catchThrowableOfType(KafkaException.class, () -> new KafkaClients(settings).admin().close());
        return StartupConnections.noClient(e, settings.kafka());
    }

    private static Map<String, String> servers(String servers) {
        return Map.of("trawl.kafka.bootstrap-servers", servers);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "host", "host:", "host:port", "127.0.0.1:9092,nonsense", "127.0.0.1:99999",
            ","})
    void anInvalidAddressIsAnErrorInTheServersSetting(String servers) {
        assertThat(refused(servers(servers))).isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("TRAWL_KAFKA_BOOTSTRAP_SERVERS").hasMessageContaining("'" + servers + "'");
    }

    @Test
    void anUnresolvableHostIsRetried() {
        assertThat(refused(servers(UNKNOWN))).isNotInstanceOf(InvalidValueException.class)
                .hasMessage("the host name cannot be resolved");
    }

    @ParameterizedTest
    @ValueSource(strings = {"security.protocol=SASL_NONSENSE",
            "security.protocol=SSL\nssl.truststore.location=/no/such.jks",
            "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN", "metrics.num.samples=many"})
    void aBadSettingInTheFileIsReportedForTheFile(String content, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("client.properties"), content);
        assertThat(refused(
                Map.of("trawl.kafka.bootstrap-servers", "127.0.0.1:1", "trawl.kafka.config-file", file.toString())))
                .isInstanceOf(InvalidValueException.class).hasMessageContaining("TRAWL_KAFKA_CONFIG_FILE")
                .hasMessageContaining(file.toString());
    }

    @Test
    void withoutASettingsFileOtherErrorsAreNotReportedForIt() {
        KafkaException trouble = new KafkaException("Failed to create new KafkaAdminClient",
                new IOException("Too many open files"));
        assertThat(StartupConnections.noClient(trouble, SettingsReader.from(servers("127.0.0.1:1")).kafka()))
                .isNotInstanceOf(InvalidValueException.class).hasMessage("Too many open files");
    }
}
