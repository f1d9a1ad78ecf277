package io.trawl.downloader.generation;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.HostKey;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AddressQueueKeysTest {
    private final Map<String, List<String>> names = new HashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final AddressQueueKeys keys = new AddressQueueKeys(this::lookUp);

    private CompletableFuture<List<InetAddress>> lookUp(String name) {
        asked.add(name);
        return names.containsKey(name)
                ? CompletableFuture.completedFuture(names.get(name).stream().map(InetAddress::ofLiteral).toList())
                : CompletableFuture.failedFuture(new UnknownHostException(name));
    }

    private void learn(String... servers) {
        keys.learn(Stream.of(servers).map(HostKey::new).toList());
    }

    private String key(String server) {
        return keys.of(new HostKey(server)).value();
    }

    @Test
    void namesShareTheirSmallestAddressWhateverTheirPortsAndTheOrderOfTheAnswer() {
        names.put("a.test", List.of("192.0.2.200", "192.0.2.9", "2001:db8::1"));
        names.put("b.example", List.of("192.0.2.9"));
        names.put("c.example", List.of("192.0.2.200", "192.0.2.10"));
        names.put("d.example", List.of("2001:db8::2", "2001:db8::10"));
        learn("a.test:80", "a.test:443", "b.example:80", "c.example:80", "d.example:80");
        assertThat(Stream.of("a.test:80", "a.test:443", "a.test:8080", "b.example:80").map(this::key))
                .containsOnly("ip/192.0.2.9");
        assertThat(key("c.example:80")).isEqualTo("ip/192.0.2.10");
        assertThat(key("d.example:80")).isEqualTo("ip/2001:db8:0:0:0:0:0:2");
        assertThat(asked).as("once per name").containsExactlyInAnyOrder("a.test", "b.example", "c.example",
                "d.example");
    }

    @Test
    void aKeyIsItsOwnKey() {
        names.put("a.test", List.of("2001:db8::1"));
        learn("a.test:80");
        assertThat(key(key("a.test:80"))).isEqualTo(key("a.test:80"));
        learn(key("a.test:80"), "no host:80", ":80", "nothing");
        assertThat(asked).containsExactly("a.test");
        assertThat(key("no host:80")).isEqualTo("no host:80");
    }

    @Test
    void theFirstAnswerHoldsEvenIfItHadNoAddress() {
        names.put("a.test", List.of("192.0.2.1"));
        learn("a.test:80", "later.test:80");
        names.put("a.test", List.of("192.0.2.2"));
        names.put("later.test", List.of("192.0.2.1"));
        learn("a.test:80", "later.test:80");
        assertThat(key("a.test:80")).isEqualTo("ip/192.0.2.1");
        assertThat(key("later.test:80")).isEqualTo("later.test:80");
    }

    @Test
    void aServerThatGotAKeyBeforeItWasLearntKeepsThatKey() {
        names.put("a.test", List.of("192.0.2.1"));
        assertThat(key("a.test:80")).isEqualTo("a.test:80");
        learn("a.test:80");
        assertThat(key("a.test:80")).as("not two queues").isEqualTo("a.test:80");
    }
}
