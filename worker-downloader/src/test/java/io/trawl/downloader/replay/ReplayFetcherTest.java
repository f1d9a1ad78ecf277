package io.trawl.downloader.replay;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Seed;
import io.trawl.time.Time;
import io.trawl.codec.ArchiveFields;
import io.trawl.codec.Codec;
import io.trawl.model.Body;
import io.trawl.model.MID;
import io.trawl.model.FailureReason;
import io.trawl.model.Response;
import java.util.Map;
import java.time.Duration;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives of other crawlers, written byte by byte. */
class ReplayFetcherTest {
    private static final int BODY_LIMIT = 1000;
    private final ByteArrayOutputStream archive = new ByteArrayOutputStream();
    private final ArchiveIndex index = new ArchiveIndex();
    private final List<String> seeds = new ArrayList<>();
    @TempDir
    Path temp;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] zipped(String text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes(text));
        }
        return out.toByteArray();
    }

    private void record(String type, int id, String url, String more, String head, byte[] body) {
        byte[] http = bytes(head + "\r\n\r\n");
        archive.writeBytes(bytes("WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Target-URI: " + url
                + "\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000"
                + id + ">\r\n" + more + "Content-Type: application/http; msgtype="
                + (type.equals("request") ? type : "response") + "\r\nContent-Length: " + (http.length + body.length)
                + "\r\n\r\n"));
        archive.writeBytes(http);
        archive.writeBytes(body);
        archive.writeBytes(bytes("\r\n\r\n"));
    }

    private void response(int id, String url, String head, byte[] body) {
        record("response", id, url, "", head, body);
    }

    /** As Trawl describes what it has fetched. */
    private void described(int id, String url, FetchOptions options, String... concurrent) {
        Request request = RequestBuilder.builder().id(new RequestId(7)).run(CrawlRun.parse("docs/1")).url(url)
                .host(new HostKey("h:80")).priority(1).seed(true).domains(1).options(options).build();
        Response failed = new Response(request, new Outcome.Failure(FailureReason.TIMEOUT, "late"),
                MID.parse("D1|127.0.0.1:8081"), Instant.EPOCH, Duration.ZERO, 1, Map.of(), Body.EMPTY);
        String fields = ArchiveFields.DESCRIPTION + ": " + new String(Codec.describe(failed), StandardCharsets.US_ASCII)
                + "\r\n";
        archive.writeBytes(bytes("WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: " + url
                + "\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-00000000000"
                + id + ">\r\n"
                + Stream.of(concurrent).map(to -> "WARC-Concurrent-To: " + to + "\r\n").collect(joining())
                + "Content-Type: application/warc-fields\r\nContent-Length: " + fields.length() + "\r\n\r\n" + fields
                + "\r\n\r\n"));
    }

    private void read(String name) throws IOException {
        index.read(Files.write(temp.resolve(name), archive.toByteArray()), seed -> seeds.add(url(seed)));
    }

    private static String url(Seed seed) {
        return seed.url().orElseThrow();
    }

    private FetchResult fetch(String url) throws Exception {
        Request request = RequestBuilder.builder().id(new RequestId(7)).run(CrawlRun.parse("docs/1")).url(url)
                .host(new HostKey("h:80")).priority(1).seed(true).domains(1).build();
        return new ReplayFetcher(index, BODY_LIMIT, Runnable::run, Time.system())
                .fetch(request, new FetchProfile("Trawl"), () -> true).get();
    }

    private static String text(FetchResult result) {
        return new String(result.body().bytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void bodiesAreDecodedAndCutAsThoseOfAFetch() throws Exception {
        response(1, "http://h/plain", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4", bytes("page"));
        response(2, "<http://h/coded>", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip", zipped("coded page"));
        response(3, "http://h/chunked", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked",
                bytes("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"));
        response(4, "http://h/long", "HTTP/1.0 200 OK", bytes("x".repeat(BODY_LIMIT + 1)));
        read("a.warc");
        assertThat(seeds).containsExactly("http://h/plain", "http://h/coded", "http://h/chunked", "http://h/long");
        FetchResult plain = fetch("http://h/plain");
        assertThat(plain.outcome()).isEqualTo(new Outcome.Success(200, false));
        assertThat(plain.at()).isEqualTo(Instant.parse("2020-01-02T03:04:05Z"));
        assertThat(plain.headers()).containsEntry("content-type", "text/html");
        assertThat(text(plain)).isEqualTo("page");
        assertThat(text(fetch("http://h/coded"))).isEqualTo("coded page");
        assertThat(text(fetch("http://h/chunked"))).isEqualTo("abcde");
        assertThat(fetch("http://h/long").outcome()).isEqualTo(new Outcome.Success(200, true));
        assertThat(text(fetch("http://h/long"))).hasSize(BODY_LIMIT);
    }

    @Test
    void redirectsAndErrorsAreAnswersAndWhatIsNotThereIsRefused() throws Exception {
        record("request", 1, "http://h/old", "", "GET /old HTTP/1.1\r\nHost: h", new byte[0]);
        response(2, "http://h/old", "HTTP/1.1 301 Moved\r\nLocation: /new\r\nContent-Length: 0", new byte[0]);
        response(3, "http://h/gone", "HTTP/1.1 404 Not Found\r\nContent-Length: 4", bytes("gone"));
        response(4, "not a url", "HTTP/1.1 200 OK", bytes("x"));
        read("a.warc");
        assertThat(fetch("http://h/old").outcome()).isEqualTo(new Outcome.Redirect(301, "/new"));
        assertThat(fetch("http://h/gone").outcome()).isEqualTo(new Outcome.HttpError(404));
        assertThat(fetch("http://h/other").outcome()).isInstanceOf(Outcome.Refused.class);
        assertThat(index.size()).isEqualTo(2);
        assertThat(index.skipped()).isOne();
    }

    @Test
    void theFirstAnswerOfAUrlCountsAndARevisitHasTheBodyThatItRefersTo() throws Exception {
        response(1, "http://h/a", "HTTP/1.1 200 OK\r\nX-N: 1", bytes("first"));
        response(2, "http://h/a", "HTTP/1.1 200 OK\r\nX-N: 2", bytes("second"));
        record("revisit", 3, "http://h/b",
                "WARC-Refers-To: <urn:uuid:00000000-0000-0000-0000-000000000002>\r\n"
                        + "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n",
                "HTTP/1.1 200 OK\r\nX-N: 3", new byte[0]);
        record("revisit", 4, "http://h/c",
                "WARC-Refers-To: <urn:uuid:00000000-0000-0000-0000-000000000009>\r\n"
                        + "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n",
                "HTTP/1.1 200 OK", new byte[0]);
        read("a.warc");
        index.resolve(seed -> seeds.add(url(seed)));
        assertThat(text(fetch("http://h/a"))).isEqualTo("first");
        assertThat(text(fetch("http://h/b"))).isEqualTo("second");
        assertThat(fetch("http://h/b").headers()).containsEntry("x-n", "3");
        assertThat(index.skipped()).as("the body is in no file that was read").isOne();
    }

    private void revisit(int id, String url, String target, String profile) {
        record("revisit", id, url, "WARC-Refers-To-Target-URI: " + target
                + "\r\nWARC-Refers-To-Date: 2020-01-02T03:04:05Z\r\nWARC-Profile: http://netpreserve.org/warc/1.1/revisit/"
                + profile + "\r\n", "HTTP/1.1 200 OK\r\nX-N: " + id, new byte[0]);
    }

    private void next(String name) throws IOException {
        read(name);
        archive.reset();
    }

    @Test
    void aRevisitHasTheBodyThatAnotherFileHoldsWhicheverIsReadFirst() throws Exception {
        revisit(1, "http://h/later", "http://h/a", "identical-payload-digest");
        revisit(2, "http://h/a", "http://h/a", "identical-payload-digest");
        revisit(3, "http://h/b", "http://h/b", "server-not-modified");
        revisit(4, "http://h/c", "http://h/c", "server-not-modified");
        described(5, "http://h/c", FetchOptions.NONE, "<urn:uuid:00000000-0000-0000-0000-000000000004>");
        next("2.warc");
        response(6, "http://h/a", "HTTP/1.1 200 OK", bytes("of a"));
        response(7, "http://h/b", "HTTP/1.1 200 OK", bytes("of b"));
        next("1.warc");
        revisit(8, "http://h/earlier", "http://h/b", "identical-payload-digest");
        next("3.warc");
        assertThat(index.skipped()).isZero();
        index.resolve(seed -> seeds.add(url(seed)));
        assertThat(seeds).containsExactly("http://h/a", "http://h/b", "http://h/earlier", "http://h/later");
        assertThat(text(fetch("http://h/later"))).isEqualTo("of a");
        assertThat(fetch("http://h/later").headers()).containsEntry("x-n", "1");
        assertThat(text(fetch("http://h/earlier"))).isEqualTo("of b");
        assertThat(text(fetch("http://h/a"))).as("its own record").isEqualTo("of a");
        assertThat(text(fetch("http://h/b"))).isEqualTo("of b");
        assertThat(index.skipped()).as("no file has the body, and metadata alone are no answer").isOne();
        assertThat(fetch("http://h/c").outcome()).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void whatWasAskedAgainIsNoSeedSinceItsRedirectAsksAgainOnceMore() throws Exception {
        described(1, "http://h/a", FetchOptions.NONE);
        described(2, "http://h/a", FetchOptions.NONE.withAgain(true));
        read("a.warc");
        assertThat(seeds).containsExactly("http://h/a");
        assertThat(index.size()).isEqualTo(2);
    }

    @Test
    void aFileThatIsNoArchiveIsRefused() {
        archive.writeBytes(bytes("hello\n"));
        assertThatThrownBy(() -> read("a.warc")).isInstanceOf(IOException.class)
                .hasMessageContaining("it is no WARC file");
    }
}
