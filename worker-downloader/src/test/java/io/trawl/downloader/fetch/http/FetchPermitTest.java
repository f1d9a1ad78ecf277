package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchPermit;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.FetchOptions;
import io.trawl.model.Request;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FetchPermitTest extends FetchFixture {
    private static void pass(CountDownLatch gate) throws IOException {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static Request to(RawServer server) {
        return request(server.url("/"), FetchOptions.NONE);
    }

    @Test
    void withoutAPermitNothingIsSent() throws Exception {
        RawServer server = server(turn -> turn.answer("200 OK", "hello"));
        FetchResult fetchResult = fetcher.fetch(to(server), PROFILE, () -> false)
                .orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(fetchResult.withdrawn()).isTrue();
        assertThat(server.heads()).isEmpty();
    }

    @Test
    void aPermitThatEndsWhileConnectingHoldsTheBytesBack() throws Exception {
        RawServer server = server(turn -> turn.answer("200 OK", "hello"));
        List<String> threads = new CopyOnWriteArrayList<>();
        FetchResult fetchResult = fetcher.fetch(to(server), PROFILE, () -> {
            threads.add(Thread.currentThread().getName());
            return threads.size() < 2;
        }).orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(fetchResult.withdrawn()).isTrue();
        assertThat(threads).hasSize(2);
        assertThat(threads.getLast()).as("the thread that writes the request").startsWith("fetch-");
        assertThat(server.heads()).isEmpty();
        assertThat(fetch(server.url("/")).withdrawn()).as("the next one is not withdrawn").isFalse();
    }

    @Test
    void onlyExchangesUnderTheEndedPermitAreCut() throws Exception {
        CountDownLatch arrived = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        fetcher = fetcher(
                java.util.Map.of("trawl.downloader.response-timeout", "20s", "trawl.downloader.total-timeout", "30s"));
        RawServer server = server(turn -> {
            arrived.countDown();
            pass(goOn);
            turn.answer("200 OK", "hello");
        });
        FetchPermit ended = () -> true;
        FetchPermit other = () -> true;
        CompletableFuture<FetchResult> cut = fetcher.fetch(to(server), PROFILE, ended);
        CompletableFuture<FetchResult> kept = fetcher.fetch(to(server), PROFILE, other);
        assertThat(arrived.await(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        fetcher.cut(ended);
        assertThat(cut).as("at once").isDone();
        assertThat(cut.join().withdrawn()).isTrue();
        assertThat(cut.join().took()).isLessThan(Duration.ofSeconds(20));
        goOn.countDown();
        assertThat(kept.orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join().withdrawn()).isFalse();
    }
}
