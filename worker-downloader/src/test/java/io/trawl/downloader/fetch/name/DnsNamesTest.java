package io.trawl.downloader.fetch.name;

import static io.trawl.testkit.FakeNameServer.address;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trawl.downloader.fetch.name.NameService.NameAnswer;
import io.trawl.telemetry.Outage;
import io.trawl.testkit.FakeNameServer;
import io.trawl.testkit.FakeNameServer.NameQuestion;
import io.trawl.testkit.FakeNameServer.NameReply;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Look-ups at real name servers on loopback. */
class DnsNamesTest {
    private final List<AutoCloseable> open = new ArrayList<>();
    private final Outage outage = new Outage("name servers");
    private final FakeNameServer server = closing(new FakeNameServer(DnsNamesTest::reply));

    private static NameReply reply(String name) {
        return switch (name.split("[.-]")[0]) {
            case "live" -> address(300, "192.0.2.1", "192.0.2.2");
            case "v6" -> address(300, "2001:db8::1");
            case "alias" -> new NameReply.Alias(90, address(3000, "192.0.2.1"));
            case "long" -> new NameReply.TooLong(address(300, "192.0.2.1"));
            case "empty" -> new NameReply.Code(0);
            case "unknown" -> new NameReply.Code(3);
            case "failing" -> new NameReply.Code(2);
            case "ttl" -> address(Integer.parseInt(name.split("[.-]")[1]), "192.0.2.1");
            default -> new NameReply.Ignored();
        };
    }

    private <T extends AutoCloseable> T closing(T closeable) {
        open.add(closeable);
        return closeable;
    }

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable closeable : open.reversed()) {
            closeable.close();
        }
    }

    private DnsNames names(FakeNameServer... servers) {
        List<InetSocketAddress> all = Stream.of(servers).map(FakeNameServer::address).toList();
        return closing(new DnsNames(() -> all, outage, Time.system()));
    }

    private static NameAnswer found(CompletableFuture<NameAnswer> lookup) throws Exception {
        return lookup.get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    private static UnknownNameException unknown(CompletableFuture<NameAnswer> lookup) {
        try {
            throw new AssertionError("found " + found(lookup));
        } catch (ExecutionException e) {
            return (UnknownNameException) requireNonNull(e.getCause());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aNameHasItsAddressesInTheirOrder() throws Exception {
        assertThat(found(names(server).find("live.test")).addresses()).extracting(InetAddress::getHostAddress)
                .containsExactly("192.0.2.1", "192.0.2.2");
        assertThat(server.questions()).as("no other family is asked for").hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"0,60", "59,60", "61,61", "3599,3599", "86400,3600", "2147483647,3600"})
    void anAnswerCountsForAMinuteToAnHour(int ttl, int seconds) throws Exception {
        assertThat(found(names(server).find("ttl-" + ttl + ".test")).kept()).isEqualTo(Duration.ofSeconds(seconds));
    }

    @Test
    void anAliasCountsForAsLongAsItsShortestRecord() throws Exception {
        NameAnswer answer = found(names(server).find("alias.test"));
        assertThat(answer.addresses()).hasSize(1);
        assertThat(answer.kept()).isEqualTo(Duration.ofSeconds(90));
    }

    @Test
    void aNameWithoutAnAddressOfOneFamilyHasThoseOfTheOther() throws Exception {
        assertThat(found(names(server).find("v6.test")).addresses()).extracting(InetAddress::getHostAddress)
                .containsExactly("2001:db8:0:0:0:0:0:1");
    }

    @Test
    void aNameThatServersDoNotKnowHasNoAddressForAMinute() {
        UnknownNameException unknown = unknown(names(server).find("unknown.test"));
        assertThat(unknown).hasMessage("name server: NXDOMAIN(3)");
        assertThat(unknown.kept()).isEqualTo(Duration.ofMinutes(1));
        assertThat(server.questions()).as("there is no such name in any family").hasSize(1);
        assertThat(unknown(names(server).find("empty.test"))).hasMessage("name server: no record");
        assertThat(unknown(names(server).find("x".repeat(70) + ".test")))
                .hasMessage("no name server can know such a name");
    }

    @Test
    void anAnswerThatIsCutIsAskedForOverTcp() throws Exception {
        assertThat(found(names(server).find("long.test")).addresses()).hasSize(1);
        assertThat(server.questions()).extracting(NameQuestion::tcp).containsExactly(false, true);
    }

    @Test
    void theNextServerIsAskedIfOneIsSilentAndIsPreferredFromThenOn() throws Exception {
        FakeNameServer silent = closing(new FakeNameServer(_ -> new NameReply.Ignored()));
        DnsNames names = names(silent, server);
        assertThat(found(names.find("live.test")).addresses()).hasSize(2);
        assertThat(found(names.find("live.other.test")).addresses()).hasSize(2);
        assertThat(silent.asked()).containsExactly("live.test");
    }

    @Test
    void theNextServerIsAskedIfOneCannotTell() throws Exception {
        FakeNameServer failing = closing(new FakeNameServer(_ -> new NameReply.Code(5)));
        assertThat(found(names(failing, server).find("live.test")).addresses()).hasSize(2);
    }

    @Test
    void ifNoServerCanTellTheNextTryAsksAgain() {
        UnknownNameException unknown = unknown(names(server).find("failing.test"));
        assertThat(unknown).hasMessage("name server: SERVFAIL(2)");
        assertThat(unknown.kept()).isEqualTo(Duration.ofSeconds(1));
        assertThat(server.asked()).containsExactly("failing.test", "failing.test");
    }

    @Test
    void namesThatNobodyAnswersForDelayNoOthersAndFailAfterTwoTries() throws Exception {
        DnsNames names = names(server);
        List<CompletableFuture<NameAnswer>> dead = IntStream.range(0, 50)
                .mapToObj(i -> names.find("dead-" + i + ".test")).toList();
        List<CompletableFuture<NameAnswer>> live = IntStream.range(0, 450)
                .mapToObj(i -> names.find("live-" + i + ".test")).toList();
        for (CompletableFuture<NameAnswer> each : live) {
            assertThat(found(each).addresses()).hasSize(2);
        }
        assertThat(dead).as("still asked when all others are known").noneMatch(CompletableFuture::isDone);
        assertThat(dead).map(DnsNamesTest::unknown).allMatch(unknown -> unknown.kept().equals(Duration.ofSeconds(1)))
                .allMatch(
                        unknown -> "no name server has answered for it, in 2 tries of 1s".equals(unknown.getMessage()));
        assertThat(server.asked().filter(name -> name.startsWith("dead"))).hasSize(100);
        assertThat(outage.now()).isFalse();
    }

    @Test
    void aThousandLookUpsAreInFlightAtMost() {
        DnsNames names = names(server);
        AtomicLong before = new AtomicLong();
        List<CompletableFuture<NameAnswer>> dead = IntStream.range(0, 1010)
                .mapToObj(i -> names.find("dead-" + i + ".test")).toList();
        CompletableFuture.anyOf(dead.toArray(CompletableFuture[]::new))
                .whenComplete((_, _) -> before.set(server.asked().distinct().count()));
        // A thread that waits for a look-up would count while the resolver goes on.
        await().until(() -> before.get() > 0);
        assertThat(dead).map(DnsNamesTest::unknown).hasSize(1010);
        assertThat(before).hasValue(1000);
        assertThat(server.asked().distinct()).hasSize(1010);
    }

    @Test
    void whileNoServerAnswersNoNameFails() throws Exception {
        server.silent(true);
        DnsNames names = names(server);
        CompletableFuture<NameAnswer> live = names.find("live.test");
        CompletableFuture<NameAnswer> unknown = names.find("unknown.test");
        await().until(outage::now);
        assertThat(outage.cause()).contains("no name server answers: " + server.setting());
        assertThat(live).isNotDone();
        assertThat(unknown).isNotDone();
        server.silent(false);
        assertThat(found(live).addresses()).hasSize(2);
        assertThat(unknown(unknown)).hasMessage("name server: NXDOMAIN(3)");
        assertThat(outage.now()).isFalse();
    }

    @Test
    void aLookUpDuringWhichTheServersBeginToAnswerAgainIsMadeOnceMore() throws Exception {
        server.silent(true);
        DnsNames names = names(server);
        CompletableFuture<NameAnswer> live = names.find("live.test");
        CompletableFuture<NameAnswer> dead = names.find("dead.test");
        await().until(() -> server.asked().filter("live.test"::equals).count() == 2);
        server.silent(false);
        assertThat(found(names.find("live.other.test")).addresses()).hasSize(2);
        assertThat(found(live).addresses()).hasSize(2);
        assertThat(unknown(dead)).hasMessageContaining("no name server has answered for it");
        assertThat(server.asked().filter("dead.test"::equals)).hasSize(4);
    }

    @Test
    void aLookUpThatIsUnderWayAtTheEndFails() {
        DnsNames names = names(server);
        CompletableFuture<NameAnswer> dead = names.find("dead.test");
        await().until(() -> server.asked().findAny().isPresent());
        names.close();
        assertThatThrownBy(() -> found(dead)).hasCauseInstanceOf(UnknownNameException.class);
        assertThatThrownBy(() -> found(names.find("live.test"))).hasCauseInstanceOf(UnknownNameException.class);
    }
}
