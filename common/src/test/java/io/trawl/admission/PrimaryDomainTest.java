package io.trawl.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.model.HostKey;
import io.trawl.model.InvalidValueException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrimaryDomainTest {
    @ParameterizedTest
    @CsvSource({"example.org,example.org", "www.example.org,example.org", "a.b.c.example.org,example.org",
            "a.b.example.co.uk,example.co.uk", "foo.github.io,foo.github.io", "a.foo.github.io,foo.github.io",
            "github.io,github.io", "co.uk,co.uk", "org,org", "localhost,localhost", "wiki,wiki", "127.0.0.1,127.0.0.1",
            "[::1],[::1]", "[2001:db8::1],[2001:db8::1]", "wiki.corp.internal,corp.internal", "a.localhost,a.localhost",
            "x.y.test,y.test", "foo.kawasaki.jp,foo.kawasaki.jp", "a.city.kawasaki.jp,city.kawasaki.jp",
            "a.b.xn--55qx5d.cn,b.xn--55qx5d.cn", "a_b.example.org,example.org",
            "a.xn--bcher-kva.example,xn--bcher-kva.example", "b.s3.amazonaws.com,b.s3.amazonaws.com"})
    void aHostBelongsToItsRegisteredDomain(String host, String domain) {
        assertThat(PrimaryDomain.of(host)).isEqualTo(domain);
        assertThat(PrimaryDomain.of(domain)).as("a domain is its own primary domain").isEqualTo(domain);
    }

    @ParameterizedTest
    @CsvSource({"https://example.org/,example.org:443,example.org",
            "http://example.org/a:b/?c:1,example.org:80,example.org",
            "http://example.org:8080/@x,example.org:8080,example.org", "http://[::1]/,[::1]:80,[::1]",
            "https://[2001:db8::1]:8443/a,[2001:db8::1]:8443,[2001:db8::1]",
            "http://127.0.0.1:9/,127.0.0.1:9,127.0.0.1"})
    void thePortIsAlwaysPartOfTheKey(String url, String key, String host) {
        assertThat(HostKeyFactory.of(url)).isEqualTo(new HostKey(key));
        assertThat(HostKeyFactory.host(HostKeyFactory.of(url))).isEqualTo(host);
    }

    @ParameterizedTest
    @CsvSource({"Example.ORG,example.org", "docs.example.org,docs.example.org", "bücher.example,xn--bcher-kva.example",
            "127.1,127.0.0.1", "[::0:1],[::1]", "localhost,localhost", "github.io,github.io",
            "example.org.,example.org", "org,org"})
    void anAcceptedNameIsAHostInNormalForm(String value, String name) {
        assertThat(AcceptedName.of("--domain", value)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "https://example.org", "example.org/", "example.org:80", "*.example.org",
            ".example.org", " example.org", "co.uk", "foo.kawasaki.jp", "a b", "[::1]:80", "user@example.org"})
    void aValueThatIsNotAHostIsRefusedWithTheOptionsName(String value) {
        assertThatThrownBy(() -> AcceptedName.of("--domain", value)).isInstanceOf(InvalidValueException.class)
                .hasMessageStartingWith("--domain: ");
    }
}
