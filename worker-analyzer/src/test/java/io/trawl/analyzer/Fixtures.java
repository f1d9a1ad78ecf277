package io.trawl.analyzer;

import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.parse.ParseMemory;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.memory.HeapShares;
import io.trawl.model.Body;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Values for tests. */
public final class Fixtures {
    public static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 1);
    public static final MID DOWNLOADER = MID.parse("D1|127.0.0.1:8081");
    public static final MID ANALYZER = MID.parse("A2|127.0.0.1:8082");
    public static final Instant THEN = Instant.parse("2026-01-02T03:04:05.678901Z");

    private Fixtures() {}

    /** Threads with the memory of this machine. */
    public static ParseThreads threads(int threads, Duration limit, Time time) {
        return new ParseThreads(threads, limit, new ParseMemory(HeapShares.ofThisJvm().parsing(), 1_000_000), time,
                took -> {});
    }

    public static Request request(String url, int depth) {
        return request(url, depth, FetchOptions.NONE);
    }

    public static Request request(String url, int depth, FetchOptions options) {
        return RequestBuilder.builder().id(new RequestId(url.hashCode() * 31L + depth)).run(RUN).url(url)
                .host(new HostKey("example.org:80")).depth(depth).priority(1).seed(depth == 0).domains(3)
                .parent(depth == 0 ? Optional.empty() : Optional.of("http://example.org/parent")).options(options)
                .build();
    }

    public static Response response(Request request, Outcome outcome, Map<String, String> headers, byte[] body) {
        return new Response(request, outcome, DOWNLOADER, THEN, Duration.ofMillis(5), 1, headers, new Body(body));
    }

    public static Response page(String url, Map<String, String> headers, byte[] body) {
        return response(request(url, 0), new Outcome.Success(200, false), headers, body);
    }

    public static FetchedPage html(String url, String html) {
        return new FetchedPage(
                page(url, Map.of("content-type", "text/html; charset=utf-8"), html.getBytes(StandardCharsets.UTF_8)),
                definition("{}"));
    }

    /** A definition in the JSON form of users. */
    public static CrawlDefinition definition(String json) {
        return Json.read(json.getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
    }

    /** The status of a run that is started. */
    public static CrawlStatus started(CrawlRun run, String definition) {
        return CrawlStatus.of(run, 1, definition(definition), CrawlState.STARTED);
    }

    /** The status of a run that is finished. */
    public static CrawlStatus finished(CrawlRun run, String definition) {
        return started(run, definition).next(CrawlState.STOPPED, Optional.empty(),
                Optional.of(new End(EndReason.FINISHED, THEN)));
    }

    public static byte[] file(String name) {
        try (InputStream in = Fixtures.class.getResourceAsStream("/pages/" + name)) {
            if (in == null) {
                throw new IllegalArgumentException("missing fixture: " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
