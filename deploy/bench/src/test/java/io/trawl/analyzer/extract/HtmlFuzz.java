package io.trawl.analyzer.extract;

import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pages: any bytes are read as HTML, without an error. */
public final class HtmlFuzz {
    private static final Parsers PARSERS = new Parsers(List.of(new HtmlParser(100_000)), 1_000);
    private static final CrawlDefinition DEFINITION = Json.read("{}".getBytes(StandardCharsets.UTF_8),
            CrawlDefinition.class);
    private static final Request REQUEST = RequestBuilder.builder().id(new RequestId(1)).run(CrawlRun.parse("docs/1"))
            .url("http://example.org/a/b").host(new HostKey("example.org:80")).priority(1).seed(true).build();

    private HtmlFuzz() {}

    /** Called by the fuzzer. */
    public static void fuzzerTestOneInput(byte[] input) {
        ParsedPage page = PARSERS
                .parse(new FetchedPage(
                        new Response(REQUEST, new Outcome.Success(200, false), MID.parse("D1|127.0.0.1:8081"),
                                Instant.EPOCH, Duration.ZERO, 1, Map.of("content-type", "text/html"), new Body(input)),
                        DEFINITION));
        if (!page.errors().isEmpty()) {
            throw new AssertionError(page.errors().toString());
        }
    }
}
