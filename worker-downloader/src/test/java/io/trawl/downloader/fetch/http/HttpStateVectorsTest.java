package io.trawl.downloader.fetch.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import io.trawl.codec.Json;
import io.trawl.politeness.KeptSession.KeptCookie;
import io.trawl.testkit.ManualTime;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The test suite of the IETF's http-state group; the README beside the data has its source. */
class HttpStateVectorsTest {
    private static final String SERVER = "http://home.example.org/";
    private static final Instant THEN = Instant.parse("2015-07-01T00:00:00Z");
    private final ManualTime time = ManualTime.standing();

    /** A cookie that is sent. */
    record Pair(String name, String value) {}

    /** @param to where it is sent to: a path, or a URL with a port that belongs to the test server of the suite */
    record Exchange(String test, List<String> received, @JsonProperty("sent-to") @Nullable String to, List<Pair> sent) {
        String from() {
            return SERVER + "cookie-parser?" + test;
        }

        String target() {
            return URI.create(SERVER).resolve(Optional.ofNullable(to).orElse("/cookie-parser-result?" + test))
                    .toString().replace(":8888", "");
        }
    }

    /** A value of {@code Expires}. */
    record Date(String test, @Nullable String expected) {}

    HttpStateVectorsTest() {
        time.advance(Duration.between(time.now(), THEN));
    }

    private static <T> T read(String name, TypeReference<T> type) throws IOException {
        try (InputStream in = Objects.requireNonNull(HttpStateVectorsTest.class.getResourceAsStream(name), name)) {
            return Json.mapper().readValue(in, type);
        }
    }

    @Test
    void whatIsSentIsThatOfTheSuiteOrItsDifferenceHasAReason() throws IOException {
        Map<String, String> different = new TreeMap<>();
        for (Exchange one : read("http-state-parser.json", new TypeReference<List<Exchange>>() {
        })) {
            // The client reads the clock for Max-Age; the dates are those of the suite's time.
            boolean dated = one.received().stream().anyMatch(line -> line.toLowerCase(Locale.ROOT).contains("expires"));
            HostCookies cookies = new HostCookies(List.of(), dated ? time : Time.system());
            cookies.take(one.from(), one.received());
            String host = URI.create(one.target()).getHost().toLowerCase(Locale.ROOT);
            List<String> ours = host.equals("home.example.org") ? cookies.pairs(one.target()) : List.of();
            List<String> theirs = one.sent().stream().map(pair -> pair.name() + "=" + pair.value()).toList();
            if (!ours.equals(theirs)) {
                different.put(one.test(), one.received() + " gives " + ours + " and not " + theirs);
            }
        }
        assertThat(different.keySet()).as(different.toString())
                .isEqualTo(read("http-state-differences.json", new TypeReference<Map<String, String>>() {
                }).keySet());
    }

    @Test
    void datesAreThoseOfTheSuiteOrNone() throws IOException {
        time.advance(Duration.between(THEN, Instant.parse("1960-01-01T00:00:00Z")));
        Map<String, String> different = new TreeMap<>();
        for (Date one : read("http-state-dates.json", new TypeReference<List<Date>>() {
        })) {
            HostCookies cookies = new HostCookies(List.of(), time);
            cookies.take(SERVER, List.of("a=b; Expires=" + one.test()));
            String ours = cookies.kept().stream().map(KeptCookie::expires).flatMap(Optional::stream)
                    .map(HttpStateVectorsTest::text).findFirst().orElse("none");
            if (!ours.equals(Optional.ofNullable(one.expected()).orElse("none"))) {
                different.put(one.test(), ours + " and not " + one.expected());
            }
        }
        assertThat(different).isEmpty();
    }

    private static String text(Instant date) {
        return DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
                .format(date.atOffset(ZoneOffset.UTC));
    }
}
