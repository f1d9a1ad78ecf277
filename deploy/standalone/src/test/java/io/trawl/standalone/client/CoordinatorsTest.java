package io.trawl.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.InvalidValue;
import java.net.URI;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoordinatorsTest {
    private static final URI REGISTERED = URI.create("http://10.0.0.5:8080");
    private final AtomicInteger asked = new AtomicInteger();
    private final Supplier<List<URI>> registrar = () -> {
        asked.incrementAndGet();
        return List.of(REGISTERED);
    };

    @Test
    void whatIsNamedIsTheOnlyOne() {
        Iterator<URI> found = Coordinators.candidates(Optional.of("https://c.example:8443"), Map.of("TRAWL_REDIS_URL", "x"),
                registrar);
        assertThat(found).toIterable().containsExactly(URI.create("https://c.example:8443"));
        assertThat(asked).hasValue(0);
    }

    @Test
    void theUsualPlaceIsTriedBeforeTheRegistrarIsAsked() {
        Iterator<URI> found = Coordinators.candidates(Optional.empty(), Map.of(), registrar);
        assertThat(found.next()).isEqualTo(Coordinators.USUAL);
        assertThat(asked).hasValue(0);
        assertThat(found.next()).isEqualTo(REGISTERED);
        assertThat(found.hasNext()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRAWL_REDIS_URL", "TRAWL_NAMESPACE"})
    void aDeploymentThatIsNamedIsNotTakenForTheOneAtTheUsualPlace(String variable) {
        assertThat(Coordinators.candidates(Optional.empty(), Map.of(variable, "x"), registrar)).toIterable()
                .containsExactly(REGISTERED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "ftp://c.example", "http://", "http://user:secret@c.example", "http://a b"})
    void anAddressIsAnHttpUrlWithoutSecrets(String text) {
        assertThatThrownBy(() -> Coordinators.candidates(Optional.of(text), Map.of(), registrar)).isInstanceOf(InvalidValue.class)
                .hasMessageContaining("--coordinator");
    }
}
