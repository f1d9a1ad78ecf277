package io.trawl.pipeline.s3;

import io.trawl.model.Sha256;
import io.trawl.api.ItemsRefusedException;
import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.BuiltInSink;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.s3.ObjectChain.Added;
import io.trawl.pipeline.spi.RemoteCalls;
import io.trawl.pipeline.spi.SinkProvider;
import io.trawl.time.Time;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Stores items in objects of a bucket of S3, in the formats of files. Each item is in one object, whatever comes again
 * or late: {@link ObjectChain}. Confined to one thread.
 */
public final class S3Sink implements Sink {
    private static final int MOST_KNOWN = 10_000;
    /** Of the digest of a log in names. */
    private static final int LOG_DIGITS = 8;
    private final CrawlVariables variables;
    private final Map<String, String> environment;
    private final Supplier<String> log;
    private final Duration answer;
    private final Time time;
    private final RemoteCalls calls;
    private final Set<String> conditional = new HashSet<>();
    private final Map<String, Long> known = new HashMap<>();

    /**
     * @param variables with the secrets that crawls refer to
     * @param environment with the keys that are used if a crawl names none
     * @param log what the positions of items belong to; another log counts from its own beginning
     * @param answer how long the server may take for a request
     */
    public S3Sink(CrawlVariables variables, Map<String, String> environment, Supplier<String> log, Duration answer,
            Time time) {
        this.variables = variables;
        this.environment = environment;
        this.log = log;
        this.answer = answer;
        this.time = time;
        this.calls = new RemoteCalls(time);
    }

    /** Makes it. */
    public static final class S3Provider implements SinkProvider {
        @Override
        public Sink create(SinkSetup setup) {
            return new S3Sink(setup.variables(), setup.environment(), setup.log(), setup.answer(), setup.time());
        }

        @Override
        public Optional<SinkReader> stored(SinkSetup setup) {
            return Optional.of(new S3Objects(setup.variables(), setup.environment(), setup.answer(), setup.time()));
        }
    }

    @Override
    public String type() {
        return BuiltInSink.S3.type();
    }

    @Override
    public boolean wantsLargeBatches() {
        return true;
    }

    @Override
    public void store(SinkBatch batch) throws IOException, InterruptedException, ItemsRefusedException {
        S3Bucket bucket = S3Bucket.of(batch.settings(), variables, environment, answer);
        FileFormat format = format(batch);
        String stem = bucket.prefix() + batch.crawl() + "/" + String.format(Locale.ROOT, "%s-%02d-%s-", batch.sink(),
                batch.partition(), Sha256.hex(log.get()).substring(0, LOG_DIGITS));
        ObjectChain chain = new ObjectChain(bucket, stem, format.ending(), calls, time);
        if (!conditional.contains(bucket.url())) {
            chain.mustBeConditional();
            conditional.add(bucket.url());
        }
        Map<Long, String> refused = new TreeMap<>();
        Optional<Long> before = Optional.ofNullable(known.remove(bucket.url() + "/" + stem));
        long last = before.isPresent() ? before.get() : chain.last(batch.items().getFirst().position());
        for (List<PlacedItem> left = behind(batch, last); !left.isEmpty(); left = behind(batch, last)) {
            long end = left.getLast().position();
            byte[] object = object(format, left, refused);
            last = chain.add(last, end, type(format), object) instanceof Added.Created ? end : chain.lastBehind(last);
        }
        if (known.size() >= MOST_KNOWN) {
            known.clear();
        }
        known.put(bucket.url() + "/" + stem, last);
        if (!refused.isEmpty()) {
            throw new ItemsRefusedException(refused);
        }
    }

    private static List<PlacedItem> behind(SinkBatch batch, long last) {
        return batch.items().stream().filter(item -> item.position() > last).toList();
    }

    private static FileFormat format(SinkBatch batch) {
        List<String> fields = new ArrayList<>();
        if (batch.settings().get(SinkDefinition.FIELDS) instanceof List<?> named) {
            named.forEach(field -> fields.add(String.valueOf(field)));
        }
        String type = BuiltInSink.S3.values(batch.settings()).text("format");
        return FileFormat.of(SinkDefinition.files(type, Optional.empty(),
                Optional.ofNullable(batch.settings().get(SinkDefinition.COMPRESS)).map(String::valueOf), fields),
                List.of());
    }

    private static byte[] object(FileFormat format, List<PlacedItem> items, Map<Long, String> refused)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = format.compression().over(bytes)) {
            out.write(format.header());
            for (PlacedItem placed : items) {
                try {
                    out.write(format.line(placed.item()).bytes());
                } catch (IllegalArgumentException e) {
                    refused.put(placed.position(), String.valueOf(e.getMessage()));
                }
            }
        }
        return bytes.toByteArray();
    }

    private static String type(FileFormat format) {
        return switch (format.compression()) {
            case NONE -> format.type().equals(SinkDefinition.CSV) ? "text/csv; charset=utf-8" : "application/x-ndjson";
            case GZIP -> "application/gzip";
            case ZSTD -> "application/zstd";
        };
    }

    @Override
    public void close() {
        calls.close();
    }
}
