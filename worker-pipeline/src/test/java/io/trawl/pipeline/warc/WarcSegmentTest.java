package io.trawl.pipeline.warc;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Codec;
import io.trawl.model.Response.ArchivedExchange;
import io.trawl.model.ArchivedBody;
import io.trawl.model.Body;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.model.Sha256;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import io.trawl.pipeline.spi.Capture;
import io.trawl.testkit.NodePackages;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.netpreserve.jwarc.MessageVersion;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcResponse;
import org.netpreserve.jwarc.WarcRevisit;

class WarcSegmentTest {
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final String READER = """
            import { createReadStream } from 'fs'
            import { WARCParser } from 'warcio'
            for await (const record of new WARCParser(createReadStream(process.argv[2]))) {
              const words = [record.warcType]
              if (record.warcType === 'warcinfo') words.push(record.warcHeaders.statusline)
              if (record.httpHeaders && record.warcType !== 'request') words.push(record.httpHeaders.statusCode)
              if (record.warcType === 'response') words.push(await record.contentText())
              console.log(words.join(' '))
            }
            """;
    private final WarcSegment segment = new WarcSegment("part-00.warc.gz");
    private final ByteArrayOutputStream file = new ByteArrayOutputStream();

    WarcSegmentTest() {
        file.writeBytes(segment.header(RUN, NOW));
    }

    private static Response response(Outcome outcome, String body, Optional<ArchivedExchange> exchange) {
        FetchOptions options = FetchOptions.NONE.with().headers(Map.of("X-Key", "secret"))
                .cookie(Optional.of("session=secret")).proxy(Optional.of("http://user:secret@proxy:80"))
                .parser(Optional.of("special")).metadata(Map.of("own", "value")).build();
        Request request = RequestBuilder.builder().id(new RequestId(7)).run(RUN).url("http://h/a")
                .host(new HostKey("h:80")).depth(2).priority(1).domains(1).parent(Optional.of("http://h/"))
                .options(options).build();
        return new Response(request, outcome, MID.parse("D1|127.0.0.1:80"), NOW, Duration.ofMillis(5), 2,
                Map.of("content-type", "text/html; charset=utf-8", "x-b", "1"),
                new Body(body.getBytes(StandardCharsets.UTF_8)), exchange, Optional.empty(), Optional.empty());
    }

    private static Optional<ArchivedExchange> exchange(String... headers) {
        return Optional.of(new ArchivedExchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n",
                "HTTP/1.1 200 OK\r\n" + String.join("\r\n", headers) + "\r\n\r\n", Optional.of("192.0.2.7"), "http/1.1",
                false));
    }

    private List<WarcRecord> add(Response response) throws IOException {
        return add(response, false);
    }

    private List<WarcRecord> add(Response response, boolean keepsVisits) throws IOException {
        byte[] bytes = segment.add(new Capture("c1", 3, file.size(), response, keepsVisits));
        file.writeBytes(bytes);
        List<WarcRecord> records = new ArrayList<>();
        WarcReader reader = new WarcReader(new ByteArrayInputStream(bytes));
        for (Optional<WarcRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
            records.add(next.get());
            if (next.get() instanceof WarcResponse answer) {
                answer.http();
            }
        }
        return records;
    }

    private String text(Response response) throws IOException {
        StringBuilder text = new StringBuilder();
        byte[] bytes = segment.add(new Capture("c1", 3, 1, response, false));
        try (WarcReader reader = new WarcReader(new ByteArrayInputStream(bytes))) {
            for (WarcRecord record : reader) {
                text.append(record.headers())
                        .append(new String(record.body().stream().readAllBytes(), StandardCharsets.ISO_8859_1));
            }
        }
        return text.toString();
    }

    @Test
    void headersThatDoNotDescribeTheStoredBodyAreRenamed() throws IOException {
        String text = text(response(new Outcome.Success(200, false), "page",
                exchange("Content-Type: text/html", "content-encoding: gzip", "Content-Length: 999", "X-Own: a:b")));
        assertThat(text).contains("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX-Crawler-content-encoding: gzip\r\n"
                + "X-Crawler-Content-Length: 999\r\nX-Own: a:b\r\nContent-Length: 4\r\n\r\npage");
        assertThat(text).contains("192.0.2.7", "http/1.1", "sha256:");
    }

    @Test
    void everyRecordIsOfTheVersionThatHasMillisecondsAndRevisitsOfOtherUrls() throws IOException {
        List<WarcRecord> records = new ArrayList<>(add(response(new Outcome.Success(200, false), "page", exchange())));
        records.addAll(add(response(new Outcome.Success(200, false), "page", exchange())));
        try (WarcReader reader = new WarcReader(new ByteArrayInputStream(file.toByteArray()))) {
            records.add(reader.next().orElseThrow());
        }
        assertThat(records).hasSize(7).allSatisfy(record -> {
            assertThat(record.version()).isEqualTo(MessageVersion.WARC_1_1);
            assertThat(record.date()).isEqualTo(NOW);
        });
    }

    @Test
    void theBodyOfAnErrorIsAsReceived() throws IOException {
        assertThat(text(response(new Outcome.HttpError(500), "coded",
                exchange("Content-Encoding: gzip", "Transfer-Encoding: chunked")))).contains(
                        "Content-Encoding: gzip\r\nX-Crawler-Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\ncoded");
    }

    @Test
    void anAnswerWhoseBytesWereNotKeptHasTheHeadersThatAreKnownAndNoRequest() throws IOException {
        String text = text(response(new Outcome.Success(200, false), "page", Optional.empty()));
        assertThat(text).contains(
                "HTTP/1.1 200 \r\ncontent-type: text/html; charset=utf-8\r\nx-b: 1\r\nContent-Length: 4\r\n\r\npage");
        assertThat(text).doesNotContain("GET /a");
    }

    @Test
    void metadataHasAllOfTheRequestButWhatMayBeSecret() throws IOException {
        String text = text(response(new Outcome.Success(200, false), "page", exchange()));
        assertThat(text).contains("depth: 2\r\n", "via: http://h/\r\n", "parser: special\r\n", "fetchTimeMs: 5\r\n",
                "\"own\":\"value\"").doesNotContain("secret");
        String json = text.lines().filter(line -> line.startsWith("trawl: ")).findFirst().orElseThrow().substring(7);
        assertThat(Codec.response(json.getBytes(StandardCharsets.ISO_8859_1), Body.EMPTY).attempts()).isEqualTo(2);
    }

    @Test
    void aBodyThatTheFileHasIsRevisitedUnlessItIsEmptyOrCut() throws IOException {
        WarcRecord first = add(response(new Outcome.Success(200, false), "page", exchange())).getFirst();
        WarcRecord second = add(response(new Outcome.Success(200, false), "page", exchange())).getFirst();
        assertThat(second).isInstanceOf(WarcRevisit.class);
        assertThat(((WarcRevisit) second).refersTo()).contains(first.id());
        assertThat(add(response(new Outcome.Success(200, true), "page", exchange())).getFirst())
                .isInstanceOf(WarcResponse.class);
        assertThat(add(response(new Outcome.HttpError(404), "", exchange())).getFirst())
                .isInstanceOf(WarcResponse.class);
        assertThat(add(response(new Outcome.HttpError(404), "", exchange())).getFirst())
                .isInstanceOf(WarcResponse.class);
    }

    /** An answer to the next visit of a page whose body is in an archive. */
    private static Response visited(Outcome outcome, String body, Optional<ArchivedExchange> exchange) {
        Response now = response(outcome, body, exchange);
        ArchivedBody known = ArchivedBody.of(response(new Outcome.Success(200, false), "page", exchange()));
        return now.with(made -> made
                .request(now.request()
                        .withVisit(Optional.of(VisitBuilder.builder().number(1).state(PageState.STORED)
                                .archived(Optional.of(known)).build())))
                .fetchedAt(NOW.plus(Duration.ofDays(1))).attempts(1));
    }

    private static void assertRevisitOfTheFirstDay(WarcRecord record, URI profile) {
        assertThat(record).isInstanceOfSatisfying(WarcRevisit.class, revisit -> {
            assertThat(revisit.profile()).isEqualTo(profile);
            assertThat(revisit.refersToTargetURI()).contains(URI.create("http://h/a"));
            assertThat(revisit.refersToDate()).contains(NOW);
            assertThat(revisit.refersTo()).as("its id is not known").isEmpty();
            assertThat(revisit.headers().first("WARC-Payload-Digest")).contains("sha256:" + Sha256.hex("page"));
        });
    }

    @Test
    void whatTheServerSaysIsUnchangedRefersToTheRecordOfAnEarlierRun() throws IOException {
        ArchivedExchange unchanged = new ArchivedExchange("GET /a HTTP/1.1\r\nHost: h\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 999\r\n\r\n", Optional.empty(), "http/1.1",
                false);
        Response response = visited(new Outcome.Unchanged(), "", Optional.of(unchanged));
        assertThat(Capture.archived(response)).isTrue();
        assertThat(Capture.archived(response(new Outcome.Unchanged(), "", Optional.of(unchanged))))
                .as("no archive has its body").isFalse();
        List<WarcRecord> records = add(response, true);
        assertRevisitOfTheFirstDay(records.getFirst(), WarcRevisit.SERVER_NOT_MODIFIED_1_1);
        assertThat(records.stream().map(WarcRecord::type)).containsExactly("revisit", "request", "metadata");
        assertThat(text(response)).contains("304 Not Modified\r\nETag: \"a\"\r\nContent-Length: 999\r\n\r\n");
        assertThat(new String(segment.index(), StandardCharsets.UTF_8)).contains("\"mime\":\"warc/revisit\"",
                "\"status\":\"304\",\"digest\":\"sha256:" + Sha256.hex("page"));
    }

    @Test
    void aPageThatComesWithTheBodyThatItHadRefersToTheRecordOfAnEarlierRun() throws IOException {
        Outcome whole = new Outcome.Success(200, false);
        assertRevisitOfTheFirstDay(add(visited(whole, "page", exchange()), true).getFirst(),
                WarcRevisit.IDENTICAL_PAYLOAD_DIGEST_1_1);
        assertThat(add(visited(whole, "another", exchange()), true).getFirst()).isInstanceOf(WarcResponse.class);
        assertThat(add(visited(new Outcome.Success(200, true), "page", exchange()), true).getFirst())
                .isInstanceOf(WarcResponse.class);
    }

    @Test
    void aRecordToWhichALaterRunMayReferIsWhole() throws IOException {
        Outcome whole = new Outcome.Success(200, false);
        assertThat(add(response(whole, "page", exchange()), true).getFirst()).isInstanceOf(WarcResponse.class);
        assertThat(add(response(whole, "page", exchange()), true).getFirst()).isInstanceOf(WarcResponse.class);
        assertThat(add(response(new Outcome.HttpError(404), "page", exchange()), true).getFirst())
                .isInstanceOf(WarcRevisit.class);
    }

    @Test
    void anotherLibraryReadsEveryRecordAndItsPayload(@TempDir Path temp) throws Exception {
        add(response(new Outcome.Success(200, false), "stra\u00dfe",
                exchange("Content-Type: text/html", "Content-Encoding: br")));
        add(response(new Outcome.Success(200, false), "stra\u00dfe", exchange("Content-Type: text/html")));
        add(response(new Outcome.HttpError(404), "gone", exchange("Content-Type: text/plain")));
        add(visited(new Outcome.Success(200, false), "page", exchange()));
        add(visited(new Outcome.Unchanged(), "", Optional.of(new ArchivedExchange("GET /a HTTP/1.1\r\n\r\n",
                "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n", Optional.empty(), "http/1.1", false))));
        Path path = Files.write(temp.resolve("a.warc.gz"), file.toByteArray());
        assertThat(NodePackages.install(temp, "warcio@2.4.11").node(READER, path.toString()).lines()).containsExactly(
                "warcinfo WARC/1.1", "response 200 stra\u00dfe", "request", "metadata", "revisit 200", "request",
                "metadata", "response 200 gone", "request", "metadata", "revisit 200", "request", "metadata",
                "revisit 304", "request", "metadata");
    }

    @Test
    void theIndexIsSortedAndSaysWhereEachAnswerIs() throws IOException {
        int before = file.size();
        add(response(new Outcome.Success(200, false), "page", exchange()));
        add(response(new Outcome.Success(200, false), "page", exchange()));
        List<String> lines = new String(segment.index(), StandardCharsets.UTF_8).lines().toList();
        assertThat(lines).isSorted().hasSize(2)
                .anyMatch(line -> line
                        .startsWith("h)/a 20260102030405 {\"url\":\"http://h/a\","
                                + "\"mime\":\"text/html\",\"status\":\"200\",\"digest\":\"sha256:")
                        && line.contains("\"offset\":\"" + before + "\",\"filename\":\"part-00.warc.gz\"}"));
        assertThat(lines).anyMatch(line -> line.contains("warc/revisit"));
    }
}
