package io.trawl.pipeline.opensearch;

import io.trawl.api.SinkBatch;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.BuiltInSink;
import io.trawl.definition.sink.SettingValues;
import io.trawl.definition.sink.WriteMode;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An index, as a crawl names it.
 *
 * @param url of the server, without a slash at its end
 * @param authorization the header for requests
 * @param template whether its template is made
 * @param writes what it does with items whose key it has
 */
record OpenSearchIndex(String url, String name, Optional<String> authorization, boolean template, WriteMode writes,
        Duration timeout) {
    private static final String FILTER = "?filter_path=items.*.status,items.*.error.type,items.*.error.reason";

    /**
     * The index of a crawl.
     *
     * @param timeout of a request
     * @throws CrawlVariables.UnsetVariableException if a secret is not set in this process
     */
    static OpenSearchIndex of(SinkBatch batch, CrawlVariables variables, Duration timeout) {
        SettingValues values = BuiltInSink.OPENSEARCH.values(batch.settings());
        String password = values.find("password").map(variables::resolve).orElse("");
        return new OpenSearchIndex(values.text("url").replaceFirst("/+$", ""),
                values.text("index").replace("{crawl}", batch.crawl()),
                values.find("user")
                        .map(user -> "Basic " + Base64.getEncoder()
                                .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8))),
                values.text("template").equals("true"), values.writes(), timeout);
    }

    /** A request that writes documents. */
    HttpRequest bulk(List<byte[]> lines) {
        // With its length: some proxies in front of servers take no body in chunks.
        long length = lines.stream().mapToLong(line -> line.length).sum();
        return request("/" + name + "/_bulk" + FILTER, "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.fromPublisher(HttpRequest.BodyPublishers.ofByteArrays(lines), length))
                .build();
    }

    /** A request that reads documents, also those that searches do not find yet. */
    HttpRequest read(List<String> ids) {
        return request("/" + name + "/_mget", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.text(Map.of("ids", ids)))).build();
    }

    /** A request that makes the template, unless there is one. */
    HttpRequest templateRequest() {
        return request("/_index_template/trawl-" + name + "?create=true", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(IndexTemplate.of(name))).build();
    }

    private HttpRequest.Builder request(String path, String type) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(timeout)
                .header("Content-Type", type).header("User-Agent", "Trawl");
        authorization.ifPresent(value -> request.header("Authorization", value));
        return request;
    }
}
