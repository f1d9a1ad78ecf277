package io.trawl.downloader.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.downloader.fetch.AddressGuard.AddressRefused;
import io.trawl.testkit.ManualTime;
import io.trawl.testkit.TestTimeouts;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HostResolverTest {
    private final ManualTime time = ManualTime.flowing();
    private final AtomicInteger lookups = new AtomicInteger();
    private final Map<String, String> names = new ConcurrentHashMap<>(
            Map.of("public.example", "8.8.8.8", "private.example", "10.0.0.1"));
    private final HostResolver addresses = new HostResolver(AddressGuard.allowing(List.of()), this::lookUp, time);

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        lookups.incrementAndGet();
        String literal = names.get(host);
        if (literal == null) {
            throw new UnknownHostException(host);
        }
        return new InetAddress[]{InetAddress.ofLiteral(literal)};
    }

    @AfterEach
    void close() {
        addresses.close();
    }

    private List<InetAddress> prepared(String host) throws Exception {
        return addresses.prepare(host).get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void aNameIsLookedUpOnceForFiveMinutes() throws Exception {
        assertThat(prepared("public.example")).containsExactly(InetAddress.ofLiteral("8.8.8.8"));
        time.advance(Duration.ofSeconds(299));
        assertThat(addresses.prepare("PUBLIC.example")).isCompleted();
        assertThat(lookups).hasValue(1);
        time.advance(Duration.ofSeconds(1));
        prepared("public.example");
        assertThat(lookups).hasValue(2);
    }

    @Test
    void aFailureIsCachedForTenSeconds() {
        assertThatThrownBy(() -> prepared("nowhere.example")).hasCauseInstanceOf(UnknownHostException.class);
        assertThatThrownBy(() -> prepared("nowhere.example")).hasCauseInstanceOf(UnknownHostException.class);
        assertThat(lookups).hasValue(1);
        names.put("nowhere.example", "8.8.4.4");
        time.advance(Duration.ofSeconds(10));
        assertThat(addresses.prepare("nowhere.example")).succeedsWithin(Duration.ofSeconds(5));
    }

    @Test
    void aRefusedNameSaysWhy() {
        assertThatThrownBy(() -> prepared("private.example")).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(AddressRefused.class)
                .hasMessageContaining("10.0.0.1");
    }

    @Test
    void theClientConnectsToTheCheckedAddressesEvenIfTheNameIsReboundInBetween() throws Exception {
        prepared("public.example");
        names.put("public.example", "127.0.0.1");
        assertThat(addresses.resolve("public.example")).containsExactly(InetAddress.ofLiteral("8.8.8.8"));
        time.advance(Duration.ofMinutes(6));
        assertThat(addresses.resolve("public.example")).containsExactly(InetAddress.ofLiteral("8.8.8.8"));
    }

    @Test
    void aNameThatWasNotPreparedIsCheckedToo() {
        assertThatThrownBy(() -> addresses.resolve("private.example")).isInstanceOf(AddressRefused.class);
        assertThatThrownBy(() -> addresses.resolve("nowhere.example")).isInstanceOf(UnknownHostException.class);
    }

    @Test
    void concurrentCallersShareOneLookup() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (HostResolver slow = new HostResolver(AddressGuard.allowing(List.of()), host -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new UnknownHostException(host);
            }
            return lookUp(host);
        }, time)) {
            var first = slow.prepare("public.example");
            var second = slow.prepare("public.example");
            assertThat(first).isNotCompleted();
            go.countDown();
            assertThat(first.get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(second.get(5, TimeUnit.SECONDS));
            assertThat(lookups).hasValue(1);
        }
    }

    @Test
    void ofThousandsOfAddressesAFewAreKept() throws Exception {
        try (HostResolver many = new HostResolver(AddressGuard.allowing(List.of()), _ -> {
            InetAddress[] all = new InetAddress[4000];
            for (int i = 0; i < all.length; i++) {
                all[i] = InetAddress.ofLiteral("8.8." + i / 250 + "." + i % 250);
            }
            return all;
        }, time)) {
            assertThat(many.prepare("many.example").get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)).hasSize(16).first()
                    .isEqualTo(InetAddress.ofLiteral("8.8.0.0"));
        }
    }

    @Test
    void anErrorOfTheNameServiceIsAFailureOfThatLookupOnly() throws Exception {
        try (HostResolver failing = new HostResolver(AddressGuard.allowing(List.of()), host -> {
            if (host.equals("deep.example")) {
                throw new StackOverflowError();
            }
            return lookUp(host);
        }, time)) {
            assertThatThrownBy(() -> failing.prepare("deep.example").get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(StackOverflowError.class);
            assertThat(failing.prepare("public.example").get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)).hasSize(1);
        }
    }
}
