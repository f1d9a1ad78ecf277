package io.trawl.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.HostKey;
import io.trawl.model.PolitenessKey;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostKeyFactoryTest {
    @ParameterizedTest
    @CsvSource({"example.org:80,example.org", "www.example.org:443,example.org", "a.b.example.co.uk:8080,example.co.uk",
            "foo.github.io:443,foo.github.io", "github.io:443,github.io", "co.uk:80,co.uk", "wiki:80,wiki",
            "127.0.0.1:8080,127.0.0.1", "[2001:db8::1]:80,[2001:db8::1]", "wiki.corp.internal:80,corp.internal"})
    void byDomainAllHostsAndPortsOfARegisteredDomainShareTheirPauses(String server, String key) {
        assertThat(HostKeyFactory.politeness(new HostKey(server), PolitenessKey.DOMAIN)).isEqualTo(new HostKey(key));
        assertThat(HostKeyFactory.politeness(new HostKey(server), PolitenessKey.HOST)).isEqualTo(new HostKey(server));
        assertThat(HostKeyFactory.politeness(new HostKey(server), PolitenessKey.IP)).isEqualTo(new HostKey(server));
    }

    /** The frontier's thread computes the key from records that any process may have written. */
    @Property
    void everyTextInARecordHasAKey(@ForAll String server) {
        assertThat(HostKeyFactory.politeness(new HostKey(server + ":80"), PolitenessKey.DOMAIN).value()).isNotEmpty();
    }

    @Property
    void everySequenceOfLabelsAndDotsHasAKey(@ForAll @CharRange(from = '-', to = ':') String server) {
        Assume.that(!server.isEmpty());
        assertThat(HostKeyFactory.politeness(new HostKey(server), PolitenessKey.DOMAIN).value()).isNotEmpty();
        assertThat(HostKeyFactory.politeness(new HostKey(server + "org:80"), PolitenessKey.DOMAIN).value())
                .isNotEmpty();
    }
}
