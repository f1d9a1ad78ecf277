package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.downloader.fetch.http.AddressGuard.AddressRefused;
import io.trawl.model.InvalidValueException;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {
    @ParameterizedTest(name = "{0} with {1}: {2}")
    @CsvFileSource(resources = "addresses.csv", emptyValue = "")
    void anAddressIsJudgedByTheTable(String address, String allowed, String expected, String why) {
        List<String> networks = allowed == null ? List.of() : List.of(allowed.split(" "));
        var refusal = AddressGuard.allowing(networks).refusal(InetAddress.ofLiteral(address));
        if (expected.equals("ok")) {
            assertThat(refusal).as(why).isEmpty();
        } else {
            assertThat(refusal).as(why).hasValueSatisfying(reason -> assertThat(reason).contains(expected));
        }
    }

    @Test
    void onlyTheAllowedAddressesOfANameAreUsed() throws AddressRefused {
        AddressGuard guard = AddressGuard.allowing(List.of());
        List<InetAddress> mixed = List.of(InetAddress.ofLiteral("10.0.0.1"), InetAddress.ofLiteral("8.8.8.8"),
                InetAddress.ofLiteral("::1"));
        assertThat(guard.admitted("mixed.example", mixed)).containsExactly(InetAddress.ofLiteral("8.8.8.8"));
    }

    @Test
    void aNameWithoutAnAllowedAddressIsRefusedWithTheReason() {
        AddressGuard guard = AddressGuard.allowing(List.of());
        assertThatThrownBy(() -> guard.admitted("inside.example", List.of(InetAddress.ofLiteral("10.0.0.1"))))
                .isInstanceOf(AddressRefused.class).hasMessage(
                        "inside.example is 10.0.0.1, a private address; TRAWL_ALLOW_NETWORK (of crawl and up: --allow-network) does not allow it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "10/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.256/8",
            "localhost", "example.org/8", "fd00::/129", "fd00::g/8", "fe80::1%1/64", "*", "10.0.0.0/8;fd00::/8"})
    void anInvalidNetworkIsOneClearError(String text) {
        assertThatThrownBy(() -> AddressGuard.allowing(List.of("127.0.0.0/8", text)))
                .isInstanceOfSatisfying(InvalidValueException.class, e -> {
                    assertThat(e.field()).isEqualTo("TRAWL_ALLOW_NETWORK");
                    assertThat(e.value()).isEqualTo(text);
                    assertThat(e.rule()).contains("10.0.0.0/8");
                });
    }
}
