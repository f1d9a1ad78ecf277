package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.fetch.name.NameService;
import io.trawl.downloader.fetch.name.NameService.NameAnswer;
import io.trawl.downloader.fetch.name.UnknownNameException;
import io.trawl.model.FailureReason;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.testkit.ManualTime;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Fetches whose names are looked up while they wait, as for a redirect of robots.txt. */
class FetchNamesTest extends FetchFixture {
    private HttpFetcher fetcher(NameService names, String totalTimeout, Time time) {
        return closing(HttpFetcher.open(settings(Map.of("trawl.downloader.total-timeout", totalTimeout)), names,
                BodyMemory.of(64 << 20, 64, time), time));
    }

    @Test
    void theTimeThatANameTakesCountsIntoNoTimeOut() throws Exception {
        ManualTime time = ManualTime.standing();
        CompletableFuture<NameAnswer> name = new CompletableFuture<>();
        RawServer server = server(turn -> turn.answer("200 OK", "page"));
        var fetch = fetcher(_ -> name, "20s", time)
                .fetch(request("http://late.test:" + server.port() + "/", FetchOptions.NONE), PROFILE, () -> true);
        time.advance(Duration.ofSeconds(19));
        name.complete(new NameAnswer(List.of(InetAddress.ofLiteral("127.0.0.1")), Duration.ofMinutes(1)));
        FetchResult result = fetch.get(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(result.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(result.took()).isZero();
    }

    @Test
    void aNameThatIsNotFoundInTimeIsAFailureOfTheName() {
        assertFailure(
                fetchWith(fetcher(_ -> new CompletableFuture<>(), "300ms", Time.system()),
                        request("http://late.test/", FetchOptions.NONE)),
                FailureReason.DNS, "the name of late.test was not found within 300ms");
    }

    @Test
    void aNameWithoutAnAddressSaysWhy() {
        NameService unknown = _ -> CompletableFuture
                .failedFuture(new UnknownNameException("name server: NXDOMAIN(3)", Duration.ofMinutes(1)));
        assertFailure(
                fetchWith(fetcher(unknown, "20s", Time.system()), request("http://gone.test:81/", FetchOptions.NONE)),
                FailureReason.DNS, "the name of gone.test:81 has no address (name server: NXDOMAIN(3))");
    }
}
