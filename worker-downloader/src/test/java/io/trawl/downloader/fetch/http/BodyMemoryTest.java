package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.ssl.SSLContexts;
import org.junit.jupiter.api.Test;

class BodyMemoryTest extends FetchFixture {
    private final BodyMemory memory = new BodyMemory(100, 64, 1000, Time.system());
    private final List<String> granted = new ArrayList<>();

    private BodyMemory.Claim claim(String name, long bytes) {
        BodyMemory.Claim claim = memory.claim();
        claim.request(bytes, () -> granted.add(name));
        return claim;
    }

    @Test
    void claimsAreGrantedInOrderAsFarAsThePoolGoes() {
        BodyMemory.Claim first = claim("first", 600);
        BodyMemory.Claim second = claim("second", 600);
        claim("third", 100);
        assertThat(granted).containsExactly("first");
        first.close();
        assertThat(granted).containsExactly("first", "second", "third");
        second.close();
        claim("fourth", 900);
        assertThat(granted).endsWith("fourth");
    }

    @Test
    void aClaimThatEndsWhileItWaitsLetsTheNextOnePass() {
        claim("first", 600);
        BodyMemory.Claim second = claim("second", 600);
        claim("third", 400);
        second.close();
        assertThat(granted).containsExactly("first", "third");
    }

    @Test
    void aClaimLargerThanThePoolGetsAllOfIt() {
        BodyMemory.Claim large = claim("large", 5000);
        assertThat(granted).containsExactly("large");
        claim("next", 1);
        assertThat(granted).containsExactly("large");
        large.close();
        large.close();
        assertThat(granted).containsExactly("large", "next");
    }

    @Test
    void aRepeatedOrLateRequestChangesNothing() {
        BodyMemory.Claim claim = claim("once", 600);
        claim.request(600, () -> granted.add("twice"));
        claim.close();
        claim.request(600, () -> granted.add("late"));
        assertThat(granted).containsExactly("once");
        claim("all", 1000);
        assertThat(granted).containsExactly("once", "all");
    }

    @Test
    void anExchangeTakesAShareWhenItHasReceivedMuchAndGivesItBack() {
        BodyMemory two = new BodyMemory(BodyMemory.LEAST_SHARE * 2, 2, 1000, Time.system());
        BodyMemory.Claim first = two.claim();
        BodyMemory.Claim waits = two.claim();
        assertThat(first.share()).isEqualTo(BodyMemory.LEAST_SHARE * 2).isEqualTo(first.share());
        assertThat(two.claim().share()).isEqualTo(BodyMemory.LEAST_SHARE * 2);
        assertThat(waits.share()).as("none is left").isEqualTo(BodyMemory.LEAST_SHARE);
        first.close();
        first.close();
        assertThat(waits.share()).as("the same each time").isEqualTo(BodyMemory.LEAST_SHARE);
        assertThat(two.claim().share()).isEqualTo(BodyMemory.LEAST_SHARE * 2);
        assertThat(two.claim().share()).isEqualTo(BodyMemory.LEAST_SHARE);
    }

    @Test
    void aQuarterOfTheMemoryIsForTheSharesOfExchanges() {
        BodyMemory small = BodyMemory.of(64L << 20, 64, Time.system());
        assertThat(small.claim().share()).isEqualTo(256 << 10);
        assertThat(small.free()).isEqualTo(48L << 20);
        assertThat(BodyMemory.of(4L << 20, 1000, Time.system()).claim().share()).isEqualTo(BodyMemory.LEAST_SHARE);
    }

    @Test
    void bodiesThatAreNotWrittenYetLeaveLessForOthers() {
        memory.hold(600);
        claim("waits", 600);
        assertThat(granted).isEmpty();
        memory.release(600);
        assertThat(granted).containsExactly("waits");
        assertThat(memory.overdrawn()).isFalse();
        memory.hold(1001);
        assertThat(memory.overdrawn()).as("more than the pool waits to be written").isTrue();
        memory.release(1001);
        assertThat(memory.free()).isEqualTo(400);
    }

    @Test
    void aClaimOfAllOfThePoolIsGrantedBesideSmallBodiesThatAreNeverWrittenAllAtOnce() {
        memory.hold(10);
        claim("all", 1000);
        claim("next", 1);
        assertThat(granted).containsExactly("all");
    }

    @Test
    void inASmallHeapFewBodiesAreDecodedAtATime() {
        assertThat(new BodyMemory(1, 64, 16, Time.system()).decoders(8)).isEqualTo(1);
        assertThat(new BodyMemory(1, 64, 1, Time.system()).decoders(8)).isEqualTo(1);
        assertThat(new BodyMemory(1, 64, 1 << 20, Time.system()).decoders(8))
                .isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    private CompletableFuture<FetchResult> get(PooledWebClient web, String url) {
        return web.send(new FetchRequest(url, Map.of(), List.of(), BODY_LIMIT), () -> true)
                .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void aLargeBodyWaitsForAnotherAndASmallOneDoesNot() throws Exception {
        BodyMemory tight = new BodyMemory(BodyMemory.LEAST_SHARE, 64, BODY_LIMIT - BodyMemory.LEAST_SHARE,
                Time.system());
        PooledWebClient web = client(tight, "10s", "10s");
        CountDownLatch goOn = new CountDownLatch(1);
        RawServer slow = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nContent-Length: " + BODY_LIMIT + "\r\n\r\n");
            turn.write(new byte[BODY_LIMIT - 1]);
            try {
                goOn.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            turn.write(new byte[1]);
        });
        RawServer fast = server(
                turn -> turn.answer("200 OK", new byte[turn.path().equals("/large") ? BODY_LIMIT : 50_000]));
        CompletableFuture<FetchResult> holder = get(web, slow.url("/"));
        await().until(() -> tight.free() == 0);
        CompletableFuture<FetchResult> waiter = get(web, fast.url("/large"));
        assertThat(get(web, fast.url("/small")).join().body().length()).isEqualTo(50_000);
        assertThat(waiter).isNotDone();
        goOn.countDown();
        assertThat(holder.join().body().length()).isEqualTo(BODY_LIMIT);
        assertThat(waiter.join().body().length()).isEqualTo(BODY_LIMIT);
        assertThat(waiter.join().outcome()).isEqualTo(new Outcome.Success(200, false));
        // A result is known a moment before its claim is closed.
        await().until(() -> tight.free() == BODY_LIMIT - BodyMemory.LEAST_SHARE);
    }

    private PooledWebClient client(BodyMemory tight, String responseTimeout, String totalTimeout) {
        return closing(new PooledWebClient(
                settings(Map.of("trawl.downloader.response-timeout", responseTimeout, "trawl.downloader.total-timeout",
                        totalTimeout)).downloader(),
                new HostResolver(AddressGuard.allowing(List.of("127.0.0.0/8")), NameService.system(), Time.system()),
                SSLContexts.createDefault(), tight, Time.system()));
    }

    @Test
    void theTimeThatABodyWaitsForMemoryCountsForNoTimeOut() throws Exception {
        int pool = BODY_LIMIT - BodyMemory.LEAST_SHARE;
        BodyMemory tight = new BodyMemory(BodyMemory.LEAST_SHARE, 64, pool, Time.system());
        PooledWebClient web = client(tight, "400ms", "800ms");
        byte[] body = new byte[BODY_LIMIT];
        RawServer server = server(turn -> turn.answer("200 OK", body));
        tight.hold(pool);
        CompletableFuture<FetchResult> waiter = get(web, server.url("/large"));
        long begun = System.nanoTime();
        await().until(() -> System.nanoTime() - begun > Duration.ofSeconds(3).toNanos());
        assertThat(waiter).isNotDone();
        tight.release(pool);
        assertThat(waiter.join().outcome()).isEqualTo(new Outcome.Success(200, false));
    }

    @Test
    void afterTheWaitForMemoryTheServerHasToSendAgain() throws Exception {
        int pool = BODY_LIMIT - BodyMemory.LEAST_SHARE;
        BodyMemory tight = new BodyMemory(BodyMemory.LEAST_SHARE, 64, pool, Time.system());
        PooledWebClient web = client(tight, "400ms", "10s");
        RawServer server = server(turn -> {
            turn.write("HTTP/1.1 200 OK\r\nContent-Length: " + BODY_LIMIT + "\r\n\r\n");
            turn.write(new byte[BODY_LIMIT - 1]);
        });
        tight.hold(pool);
        CompletableFuture<FetchResult> waiter = get(web, server.url("/large"));
        long begun = System.nanoTime();
        await().until(() -> System.nanoTime() - begun > Duration.ofSeconds(1).toNanos());
        assertThat(waiter).isNotDone();
        tight.release(pool);
        assertFailure(waiter.join(), FailureReason.TIMEOUT, "sent no data for 400ms");
    }
}
