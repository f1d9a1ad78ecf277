package io.trawl.pipeline.s3;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.BuiltInSink;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.spi.RemoteCalls;
import io.trawl.pipeline.spi.SinkProvider.SinkReader;
import io.trawl.pipeline.spi.StoredFiles;
import io.trawl.pipeline.spi.RemoteCalls.RemoteAnswer;
import io.trawl.time.Time;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** Reads the objects that {@link S3Sink} has stored. Thread-safe. */
public final class S3Objects implements SinkReader {
    private static final String NAME = "[0-9]{2,9}-[0-9a-f]{8}-[0-9]{20}\\.(jsonl|csv)(\\.gz|\\.zst)?";
    private static final int OK = 200;
    private static final int MISSING = 404;
    private final CrawlVariables variables;
    private final Map<String, String> environment;
    private final Duration answer;
    private final Time time;

    /**
     * @param variables with the secrets that crawls refer to
     * @param environment with the keys that are used if a crawl names none
     * @param answer how long the server may take for a request
     */
    public S3Objects(CrawlVariables variables, Map<String, String> environment, Duration answer, Time time) {
        this.variables = variables;
        this.environment = environment;
        this.answer = answer;
        this.time = time;
    }

    @Override
    public boolean reads(SinkDefinition sink) {
        return sink.type().equals(BuiltInSink.S3.type());
    }

    @Override
    public StoredFiles of(SinkDefinition sink, CrawlRun run) throws IOException {
        try {
            S3Bucket bucket = S3Bucket.of(sink.settings(), variables, environment, answer);
            return new ObjectsOfRun(bucket, bucket.prefix() + run.crawl() + "/" + sink.named() + "-", run);
        } catch (CrawlVariables.UnsetVariableException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private RemoteAnswer send(Supplier<HttpRequest> request) throws IOException, InterruptedException {
        try (RemoteCalls calls = new RemoteCalls(time)) {
            return calls.send(request);
        }
    }

    private final class ObjectsOfRun implements StoredFiles {
        private final S3Bucket bucket;
        private final String stem;
        private final Pattern keys;
        private final CrawlRun run;

        ObjectsOfRun(S3Bucket bucket, String stem, CrawlRun run) {
            this.bucket = bucket;
            this.stem = stem;
            this.keys = Pattern.compile(Pattern.quote(stem) + NAME);
            this.run = run;
        }

        @Override
        public List<String> names(String after) throws IOException, InterruptedException {
            for (String from = after;;) {
                String start = from;
                RemoteAnswer list = send(() -> bucket.list(stem, start, time));
                if (list.status() != OK) {
                    throw list.failure("the list of " + bucket.url());
                }
                List<String> all = S3Bucket.keys(new String(list.body(), StandardCharsets.UTF_8));
                List<String> own = all.stream().filter(key -> keys.matcher(key).matches()).toList();
                if (!own.isEmpty() || all.isEmpty()) {
                    return own;
                }
                from = all.getLast();
            }
        }

        @Override
        public Optional<InputStream> open(String name) throws IOException, InterruptedException {
            if (!keys.matcher(name).matches()) {
                throw new InvalidValueException("cursor", name, "a cursor of a list of items");
            }
            RemoteAnswer object = send(() -> bucket.get(name, time));
            if (object.status() != OK && object.status() != MISSING) {
                throw object.failure(bucket.url() + "/" + name);
            }
            return object.status() == OK ? Optional.of(new ByteArrayInputStream(object.body())) : Optional.empty();
        }

        /** Objects have the items of all runs, and pages and errors; an item without the field counts for each. */
        @Override
        public boolean has(byte[] item, Iterable<ItemKind> kinds) {
            JsonNode read = Json.read(item, JsonNode.class);
            ItemKind kind = read.has("kind") ? ItemKind.ERROR : ItemKind.PAGE;
            return read.path("epoch").asLong(run.epoch()) == run.epoch()
                    && StreamSupport.stream(kinds.spliterator(), false).anyMatch(kind::equals);
        }
    }
}
