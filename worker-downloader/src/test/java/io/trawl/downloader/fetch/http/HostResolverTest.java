package io.trawl.downloader.fetch.http;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.downloader.fetch.http.AddressGuard.AddressRefused;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.downloader.fetch.name.NameService.NameAnswer;
import io.trawl.downloader.fetch.name.UnknownNameException;
import io.trawl.testkit.ManualTime;
import io.trawl.testkit.TestTimeouts;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostResolverTest {
    private final ManualTime time = ManualTime.flowing();
    private final List<String> lookups = new ArrayList<>();
    private final Map<String, String> names = new HashMap<>(
            Map.of("public.example", "8.8.8.8", "private.example", "10.0.0.1"));
    private final HostResolver addresses = resolver(this::lookUp);

    private HostResolver resolver(NameService service) {
        return new HostResolver(AddressGuard.allowing(List.of()), service, time);
    }

    private CompletableFuture<NameAnswer> lookUp(String host) {
        lookups.add(host);
        return names.containsKey(host)
                ? CompletableFuture.completedFuture(answer(requireNonNull(names.get(host))))
                : CompletableFuture.failedFuture(new UnknownNameException("in this test", Duration.ofSeconds(40)));
    }

    private static NameAnswer answer(String literal) {
        return new NameAnswer(List.of(InetAddress.ofLiteral(literal)), Duration.ofMinutes(5));
    }

    private List<InetAddress> prepared(String host) throws Exception {
        return addresses.prepare(host).get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void aNameIsLookedUpOnceForAsLongAsItsAnswerCounts() throws Exception {
        assertThat(prepared("public.example")).containsExactly(InetAddress.ofLiteral("8.8.8.8"));
        time.advance(Duration.ofSeconds(299));
        assertThat(addresses.prepare("PUBLIC.example")).isCompleted();
        assertThat(addresses.isKnown("PUBLIC.example")).isTrue();
        assertThat(lookups).hasSize(1);
        time.advance(Duration.ofSeconds(1));
        assertThat(addresses.isKnown("public.example")).isFalse();
        prepared("public.example");
        assertThat(lookups).hasSize(2);
    }

    @Test
    void aFailureCountsForAsLongAsItSays() {
        assertThatThrownBy(() -> prepared("nowhere.example")).hasCauseInstanceOf(UnknownHostException.class);
        assertThatThrownBy(() -> prepared("nowhere.example")).hasCauseInstanceOf(UnknownHostException.class);
        assertThat(addresses.isKnown("nowhere.example")).as("that it has no address").isTrue();
        assertThat(lookups).hasSize(1);
        names.put("nowhere.example", "8.8.4.4");
        time.advance(Duration.ofSeconds(40));
        assertThat(addresses.isKnown("nowhere.example")).isFalse();
        assertThat(addresses.prepare("nowhere.example")).isCompletedWithValueMatching(found -> found.size() == 1);
    }

    @Test
    void whatALookupFindsCountsFromItsEnd() {
        CompletableFuture<NameAnswer> late = new CompletableFuture<>();
        HostResolver slow = resolver(_ -> late);
        slow.prepare("public.example");
        time.advance(Duration.ofMinutes(10));
        assertThat(slow.isKnown("public.example")).isFalse();
        late.complete(answer("8.8.8.8"));
        assertThat(slow.isKnown("public.example")).isTrue();
    }

    @Test
    void aFetchUsesWhatCountedWhenItsTurnWasPrepared() throws Exception {
        prepared("public.example");
        time.advance(Duration.ofMinutes(6));
        assertThat(addresses.isKnown("public.example")).isFalse();
        assertThat(addresses.inTurn("public.example")).isCompleted();
        assertThat(lookups).hasSize(1);
        time.advance(Duration.ofMinutes(10));
        addresses.inTurn("public.example");
        assertThat(lookups).as("that is too long ago").hasSize(2);
    }

    @Test
    void anAddressIsNoName() {
        assertThat(addresses.isKnown("8.8.8.8")).isTrue();
        assertThat(addresses.prepare("8.8.8.8")).isCompletedWithValue(List.of(InetAddress.ofLiteral("8.8.8.8")));
        assertThat(addresses.prepare("2001:4860:4860::8888")).isCompleted();
        assertThat(addresses.prepare("10.0.0.1")).isCompletedExceptionally();
        assertThat(addresses.prepare("1.2.3.999")).isCompletedExceptionally();
        assertThat(lookups).isEmpty();
    }

    @Test
    void aRefusedNameSaysWhy() {
        assertThatThrownBy(() -> prepared("private.example")).isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(AddressRefused.class).hasMessageContaining("10.0.0.1");
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
    void theClientDoesNotWaitWhileAPreparedNameIsLookedUpAgain() throws Exception {
        Queue<CompletableFuture<NameAnswer>> found = new ArrayDeque<>(
                List.of(CompletableFuture.completedFuture(answer("8.8.8.8")), new CompletableFuture<>()));
        HostResolver again = resolver(_ -> found.remove());
        again.prepare("public.example");
        time.advance(Duration.ofMinutes(5));
        assertThat(again.prepare("public.example")).isNotCompleted();
        assertThat(again.resolve("public.example")).containsExactly(InetAddress.ofLiteral("8.8.8.8"));
    }

    @Test
    void aNameThatWasNotPreparedIsCheckedToo() {
        assertThatThrownBy(() -> addresses.resolve("private.example")).isInstanceOf(AddressRefused.class);
        assertThatThrownBy(() -> addresses.resolve("nowhere.example")).isInstanceOf(UnknownHostException.class);
    }

    @Test
    void concurrentCallersShareOneLookup() {
        CompletableFuture<NameAnswer> late = new CompletableFuture<>();
        HostResolver slow = resolver(name -> {
            lookups.add(name);
            return late;
        });
        var first = slow.prepare("public.example");
        var second = slow.prepare("public.example");
        assertThat(first).isNotCompleted();
        late.complete(answer("8.8.8.8"));
        assertThat(first.join()).isEqualTo(second.join());
        assertThat(lookups).hasSize(1);
    }

    @Test
    void ofThousandsOfAddressesAFewAreKept() {
        HostResolver many = resolver(_ -> CompletableFuture.completedFuture(new NameAnswer(IntStream.range(0, 4000)
                .mapToObj(i -> InetAddress.ofLiteral("8.8." + i / 250 + "." + i % 250)).toList(),
                Duration.ofMinutes(1))));
        assertThat(many.prepare("many.example").join()).hasSize(16).first().isEqualTo(InetAddress.ofLiteral("8.8.0.0"));
    }

    @Test
    void anErrorOfTheNameServiceIsAFailureOfThatLookupOnly() throws Exception {
        HostResolver failing = resolver(host -> host.equals("deep.example")
                ? CompletableFuture.failedFuture(new StackOverflowError())
                : lookUp(host));
        assertThat(failing.prepare("deep.example")).isCompletedExceptionally();
        assertThatThrownBy(() -> failing.resolve("deep.example")).isInstanceOf(UnknownHostException.class);
        assertThat(failing.prepare("public.example").join()).hasSize(1);
    }
}
