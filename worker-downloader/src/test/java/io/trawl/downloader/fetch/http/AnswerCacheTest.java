package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.Body;
import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.time.Time;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answers are used again, and which are asked for: the rules of RFC 9111, as a shared cache has them. */
class AnswerCacheTest {
    private static final String URL = "http://h/a.js?v=1";
    @AutoClose
    private final AnswerCache cache = new AnswerCache(100_000, Time.system());
    /** The conditions of each request that was sent. */
    private final List<Map<String, String>> sent = new ArrayList<>();

    private static FetchResult answer(int status, String body, String... headers) {
        Map<String, String> all = new HashMap<>();
        for (String header : headers) {
            all.put(header.substring(0, header.indexOf(':')), header.substring(header.indexOf(':') + 1).strip());
        }
        return FetchResult.answered(status, all, new Body(body.getBytes(StandardCharsets.UTF_8)), false, Duration.ZERO,
                Time.system().now());
    }

    private String get(String owner, Map<String, String> request, FetchResult answer) throws Exception {
        FetchResult got = cache.get(owner, URL, request, conditions -> {
            sent.add(conditions);
            return answer;
        });
        return got.outcome().detail() + " " + new String(got.body().bytes(), StandardCharsets.UTF_8);
    }

    private String get(FetchResult answer) throws Exception {
        return get("run", Map.of("user-agent", "t"), answer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache-control: max-age=60", "cache-control: s-maxage=60, max-age=0",
            "cache-control: public,max-age=60", "expires: Fri, 01 Jan 2100 00:00:00 GMT",
            "cache-control: max-age=60, must-revalidate", "cache-control: immutable, max-age=60"})
    void whatIsFreshIsNotAskedForAgain(String header) throws Exception {
        assertThat(get(answer(200, "first", header, "content-type: text/javascript"))).isEqualTo("200 first");
        assertThat(get(answer(200, "second", header))).isEqualTo("200 first");
        assertThat(sent).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache-control: no-store", "cache-control: private, max-age=60", "cache-control: max-age=0",
            "cache-control: s-maxage=0, max-age=60", "vary: *", "expires: 0", "expires: Thu, 01 Jan 1970 00:00:00 GMT",
            "cache-control: no-cache", "last-modified: Thu, 01 Jan 1970 00:00:00 GMT", "x-none: 1"})
    void whatIsPrivateOrStaleOrHasNoTimeIsAskedForAgain(String header) throws Exception {
        get(answer(200, "first", header));
        assertThat(get(answer(200, "second", header))).isEqualTo("200 second");
        assertThat(sent).hasSize(2);
    }

    @Test
    void theTimeThatAnAnswerHasSpentInOtherCachesCounts() throws Exception {
        get(answer(200, "first", "cache-control: max-age=60", "age: 61"));
        assertThat(get(answer(200, "second"))).isEqualTo("200 second");
    }

    @Test
    void whatIsStaleIsAskedForWithItsValidatorsAndUsedIfItHasNotChanged() throws Exception {
        String[] stale = {"cache-control: max-age=60", "age: 61", "etag: \"1\"",
                "last-modified: Fri, 02 Jan 2026 03:04:05 GMT"};
        get(answer(200, "first", stale));
        assertThat(get(answer(304, "", "cache-control: max-age=60", "age: 0", "etag: \"1\""))).isEqualTo("200 first");
        assertThat(sent.getLast()).containsEntry("If-None-Match", "\"1\"").containsEntry("If-Modified-Since",
                "Fri, 02 Jan 2026 03:04:05 GMT");
        get(answer(200, "third"));
        assertThat(sent).as("fresh again").hasSize(2);
    }

    @Test
    void whatHasChangedTakesThePlaceOfWhatIsStale() throws Exception {
        get(answer(200, "first", "cache-control: no-cache", "etag: \"1\""));
        assertThat(get(answer(200, "second", "cache-control: max-age=60", "etag: \"2\""))).isEqualTo("200 second");
        assertThat(get(answer(200, "third"))).isEqualTo("200 second");
    }

    @Test
    void anAnswerThatVariesIsForRequestsWithTheSameHeaders() throws Exception {
        FetchResult german = answer(200, "de", "cache-control: max-age=60", "vary: Accept-Language");
        get("run", Map.of("accept-language", "de"), german);
        assertThat(get("run", Map.of("accept-language", "fr"),
                answer(200, "fr", "cache-control: max-age=60", "vary: Accept-Language"))).isEqualTo("200 fr");
        assertThat(get("run", Map.of("accept-language", "de"), answer(200, "x"))).isEqualTo("200 de");
    }

    @Test
    void anAnswerToARequestWithCredentialsIsForNoOtherUnlessItIsPublic() throws Exception {
        Map<String, String> secret = Map.of("authorization", "Basic x");
        get("run", secret, answer(200, "secret", "cache-control: max-age=60"));
        assertThat(get("run", secret, answer(200, "again", "cache-control: public, max-age=60")))
                .isEqualTo("200 again");
        assertThat(get("run", secret, answer(200, "x"))).isEqualTo("200 again");
    }

    @Test
    void anotherRunHasAnswersOfItsOwn() throws Exception {
        get("run/1", Map.of(), answer(200, "first", "cache-control: max-age=60"));
        assertThat(get("run/2", Map.of(), answer(200, "second", "cache-control: max-age=60"))).isEqualTo("200 second");
    }

    @Test
    void errorsAndPagesThatAreCutAreNotKept() throws Exception {
        assertThat(get(answer(404, "", "cache-control: max-age=60"))).startsWith("404");
        FetchResult cut = FetchResult.answered(200, Map.of("cache-control", "max-age=60"), new Body(new byte[]{65}),
                true, Duration.ZERO, Time.system().now());
        assertThat(get(cut)).isEqualTo("200 A");
        assertThat(get(answer(200, "whole"))).isEqualTo("200 whole");
    }

    @Test
    void whatTheServerDoesNotAnswerIsThatFailureAlsoIfSomethingStaleIsKept() throws Exception {
        get(answer(200, "first", "cache-control: max-age=60, stale-if-error=600", "age: 61", "etag: \"1\""));
        FetchResult failure = FetchResult.without(new Outcome.Failure(FailureReason.TIMEOUT, "late"), Duration.ZERO,
                Time.system().now());
        assertThat(cache.get("run", URL, Map.of(), _ -> failure)).isEqualTo(failure);
        assertThatThrownBy(() -> cache.get("run", URL, Map.of(), _ -> {
            throw new IOException("refused");
        })).isInstanceOf(IOException.class).hasMessage("refused");
        assertThatThrownBy(() -> cache.get("run", URL, Map.of(), _ -> {
            throw new InterruptedException();
        })).isInstanceOf(InterruptedException.class);
    }

    @Test
    void theHeadersAndBytesOfAKeptAnswerAreThoseOfTheFirst() throws Exception {
        byte[] body = {0, -1, 10, 13};
        FetchResult first = FetchResult
                .answered(200,
                        Map.of("cache-control", "max-age=60", "content-type", "a/b", "x-robots-tag",
                                "noindex\nnofollow", "content-encoding", "br"),
                        new Body(body), false, Duration.ZERO, Time.system().now());
        cache.get("run", URL, Map.of(), _ -> first);
        FetchResult kept = cache.get("run", URL, Map.of(), _ -> answer(500, ""));
        assertThat(kept.body().bytes()).isEqualTo(body);
        assertThat(kept.headers()).containsEntry("content-type", "a/b").containsEntry("x-robots-tag",
                "noindex\nnofollow");
    }

    @Test
    void theMemoryIsBoundedAndWhatWasUsedLastStays() throws Exception {
        byte[] body = new byte[20_000];
        Arrays.fill(body, (byte) 'x');
        for (int i = 0; i < 50; i++) {
            FetchResult answer = FetchResult.answered(200, Map.of("cache-control", "max-age=60"), new Body(body), false,
                    Duration.ZERO, Time.system().now());
            cache.get("run", "http://h/" + i, Map.of(), _ -> answer);
            cache.get("run", "http://h/0", Map.of(), _ -> answer(200, "lost"));
            assertThat(cache.bytes()).isBetween(20_000L, 100_000L);
        }
        assertThat(cache.get("run", "http://h/0", Map.of(), _ -> answer(200, "lost")).body().length())
                .isEqualTo(20_000);
        assertThat(cache.get("run", "http://h/1", Map.of(), _ -> answer(200, "asked")).body().length()).isEqualTo(5);
    }
}
