package io.trawl.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.InvalidValueException;
import io.trawl.standalone.client.Api.Server;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoordinatorDiscoveryTest {
    private static final URI REGISTERED = URI.create("http://10.0.0.5:8080");
    private static final Optional<String> TOKEN = Optional.of("token-of-the-user");
    @TempDir
    private Path data;
    private final AtomicInteger asked = new AtomicInteger();
    private final Supplier<List<URI>> registrar = () -> {
        asked.incrementAndGet();
        return List.of(REGISTERED);
    };

    private Iterator<Server> found(Optional<String> named, Map<String, String> environment) {
        return CoordinatorDiscovery.candidates(named, TOKEN, environment, data, registrar);
    }

    @Test
    void theDeploymentsOfThisFolderAreFoundWithTheirTokensWhichAreNotSentThere() throws Exception {
        AccessFiles up = new AccessFiles(Files.createDirectories(data.resolve("up")));
        AccessFiles crawl = new AccessFiles(Files.createDirectories(data.resolve("crawls").resolve("docs")));
        URI one = URI.create("http://127.0.0.1:8081");
        URI other = URI.create("http://127.0.0.1:8082");
        String token = up.token();
        up.announce(one);
        crawl.announce(other);
        assertThat(CoordinatorDiscovery.candidates(Optional.empty(), Optional.empty(), Map.of(), data, registrar))
                .toIterable().containsExactly(Server.found(one, Optional.of(token)),
                        Server.named(CoordinatorDiscovery.DEFAULT, Optional.empty()),
                        Server.found(other, Optional.empty()), Server.found(REGISTERED, Optional.empty()));
        assertThat(found(Optional.empty(), Map.of()).next()).as("the user's own token wins")
                .isEqualTo(Server.found(one, TOKEN));
        up.withdraw();
        assertThat(found(Optional.empty(), Map.of()).next().base()).isEqualTo(CoordinatorDiscovery.DEFAULT);
    }

    @Test
    void theTokenIsRandomLastingAndReadByItsOwnerOnly() throws Exception {
        AccessFiles files = new AccessFiles(data);
        String token = files.token();
        assertThat(token).hasSize(43).isEqualTo(files.token());
        Path file = data.resolve("token");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        files.announce(URI.create("http://127.0.0.1:1"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve("address"))))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(files.token()).as("others may have read it").isNotEqualTo(token);
        files.dropToken();
        assertThat(file).doesNotExist();
    }

    @Test
    void aNamedCoordinatorIsTheOnlyOne() {
        Iterator<Server> found = found(Optional.of("https://c.example:8443"), Map.of("TRAWL_REDIS_URL", "x"));
        assertThat(found).toIterable().containsExactly(Server.named(URI.create("https://c.example:8443"), TOKEN));
        assertThat(asked).hasValue(0);
    }

    @Test
    void theUsualPlaceIsTriedBeforeTheRegistrarIsAsked() {
        Iterator<Server> found = found(Optional.empty(), Map.of());
        assertThat(found.next()).isEqualTo(Server.named(CoordinatorDiscovery.DEFAULT, TOKEN));
        assertThat(asked).hasValue(0);
        assertThat(found.next()).isEqualTo(Server.found(REGISTERED, TOKEN));
        assertThat(found.hasNext()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRAWL_REDIS_URL", "TRAWL_REDIS_CONFIG_FILE", "TRAWL_NAMESPACE"})
    void aDeploymentThatIsNamedIsNotTakenForTheOneAtTheUsualPlace(String variable) {
        assertThat(found(Optional.empty(), Map.of(variable, "x"))).toIterable()
                .containsExactly(Server.found(REGISTERED, TOKEN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "ftp://c.example", "http://", "http://user:secret@c.example", "http://a b",
            "http://c.example:70000"})
    void anAddressIsAnHttpUrlWithoutSecrets(String text) {
        assertThatThrownBy(() -> found(Optional.of(text), Map.of())).isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("--coordinator");
    }
}
