package io.trawl.bench.jmh;

import io.trawl.codec.Codec;
import io.trawl.model.Body;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.model.Outcome;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;

/** The wire format of requests and responses; each is encoded and decoded once per page. */
public class CodecBenchmark extends PartBenchmark {
    private static final int BODY = 20_000;
    private final Request request = RequestBuilder.builder().id(new RequestId(0x0123456789abcdefL))
            .run(new CrawlRun(new CrawlId("docs"), 1))
            .url("https://docs.example.org/guide/start/chapter-12.html?lang=en")
            .host(new HostKey("docs.example.org:443")).depth(2).priority(1).domains(7)
            .parent(Optional.of("https://docs.example.org/guide/start/index.html")).build();
    private final Response response = new Response(request, new Outcome.Success(200, false),
            new MID(ModuleKind.DOWNLOADER, 3, "10.0.0.7", 8081), Instant.parse("2026-01-01T12:00:00Z"),
            Duration.ofMillis(87), 1,
            Map.of("content-type", "text/html; charset=utf-8", "server", "nginx", "date",
                    "Thu, 01 Jan 2026 12:00:00 GMT", "etag", "\"5e1f-6\"", "cache-control", "max-age=3600", "vary",
                    "Accept-Encoding"),
            new Body(new byte[BODY]));
    private final byte[] requestJson = Codec.encode(request);
    private final byte[] responseJson = Codec.describe(response);

    /** The analyzer's step. */
    @Benchmark
    public byte[] encodeRequest() {
        return Codec.encode(request);
    }

    /** The downloader's step. */
    @Benchmark
    public Request decodeRequest() {
        return Codec.request(requestJson);
    }

    /** The downloader's step; the body needs no encoding. */
    @Benchmark
    public byte[] encodeResponse() {
        return Codec.describe(response);
    }

    /** The analyzer's step. */
    @Benchmark
    public Response decodeResponse() {
        return Codec.response(responseJson, response.body());
    }
}
