package io.trawl.pipeline.opensearch;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.Item;
import io.trawl.api.ItemsRefusedException;
import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.sink.BuiltInSink;
import io.trawl.definition.sink.ItemVersion;
import io.trawl.definition.sink.WriteMode;
import io.trawl.pipeline.format.ItemLine;
import io.trawl.pipeline.spi.RemoteCalls;
import io.trawl.pipeline.spi.RemoteCalls.RemoteAnswer;
import io.trawl.pipeline.spi.SinkProvider;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Stores items as documents of an index of OpenSearch. By default, their ids are those of the items, and a document is
 * only ever created; else their ids are the keys, and a document is written with the version of its item. So an item
 * that comes again, also late, from a process that was paused, finds it and changes nothing. A document that the index
 * refuses for good is left out and reported.
 */
public final class OpenSearchSink implements Sink {
    /** Of a request: hosted servers refuse more than 10 MiB. */
    private static final long MOST_BYTES = 5 << 20;
    private static final int MOST_READ = 10;
    private static final TypeReference<Map<String, Object>> FIELDS = new TypeReference<>() {
    };
    private static final int TOO_LARGE = 413;
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private final CrawlVariables variables;
    private final Duration answer;
    private final RemoteCalls calls;
    private final Set<String> templates = new HashSet<>();

    /** An item in the form of the request. */
    private record Document(long position, byte[] lines) {}

    /**
     * @param variables with the secrets that crawls refer to @param answer how long the server may take for a request
     */
    public OpenSearchSink(CrawlVariables variables, Duration answer, Time time) {
        this.variables = variables;
        this.answer = answer;
        this.calls = new RemoteCalls(time);
    }

    /** Makes it. */
    public static final class OpenSearchProvider implements SinkProvider {
        @Override
        public Sink create(SinkSetup setup) {
            return new OpenSearchSink(setup.variables(), setup.answer(), setup.time());
        }
    }

    @Override
    public String type() {
        return BuiltInSink.OPENSEARCH.type();
    }

    @Override
    public void store(SinkBatch batch) throws IOException, InterruptedException, ItemsRefusedException {
        OpenSearchIndex index = OpenSearchIndex.of(batch, variables, answer);
        makeTemplate(index);
        Map<Long, String> refused = new TreeMap<>();
        boolean append = index.writes() == WriteMode.APPEND;
        for (List<PlacedItem> round : append ? List.of(batch.items()) : ItemVersion.rounds(batch.items())) {
            store(index, round, refused);
        }
        if (!refused.isEmpty()) {
            throw new ItemsRefusedException(refused);
        }
    }

    private void store(OpenSearchIndex index, List<PlacedItem> items, Map<Long, String> refused)
            throws IOException, InterruptedException {
        Map<String, Map<String, Object>> last = lastOfGone(index, items);
        List<Document> documents = new ArrayList<>();
        long bytes = 0;
        for (PlacedItem placed : items) {
            byte[] lines = lines(index.writes(), placed, last, refused);
            if (bytes + lines.length > MOST_BYTES && !documents.isEmpty()) {
                write(index, documents, refused);
                documents.clear();
                bytes = 0;
            }
            if (lines.length > 0) {
                documents.add(new Document(placed.position(), lines));
                bytes += lines.length;
            }
        }
        write(index, documents, refused);
    }

    /** By key, the fields of the documents that are to be marked: a write with a version replaces all of them. */
    private Map<String, Map<String, Object>> lastOfGone(OpenSearchIndex index, List<PlacedItem> items)
            throws IOException, InterruptedException {
        Map<String, Map<String, Object>> last = new HashMap<>();
        List<String> keys = index.writes() == WriteMode.MARK
                ? items.stream().map(PlacedItem::item).filter(ItemVersion::gone).map(Item::key).toList()
                : List.of();
        for (int from = 0; from < keys.size(); from += MOST_READ) {
            List<String> asked = keys.subList(from, Math.min(keys.size(), from + MOST_READ));
            RemoteAnswer answer = calls.send(() -> index.read(asked));
            if (answer.status() != OK) {
                throw answer.failure("the index " + index.name());
            }
            for (JsonNode document : Json.mapper().readTree(answer.body()).path("docs")) {
                String fault = document.at("/error/type").asText();
                if (!fault.isEmpty() && !fault.equals("index_not_found_exception")) {
                    throw new IOException("the index " + index.name() + " cannot be read: " + fault);
                }
                if (document.path("found").asBoolean()) {
                    last.put(document.path("_id").asText(),
                            Json.mapper().convertValue(document.path("_source"), FIELDS));
                }
            }
        }
        return last;
    }

    /** Nothing if the item has no form in JSON. */
    private static byte[] lines(WriteMode writes, PlacedItem placed, Map<String, Map<String, Object>> last,
            Map<Long, String> refused) {
        Item item = placed.item();
        boolean gone = writes != WriteMode.APPEND && ItemVersion.gone(item);
        boolean deletes = gone && writes == WriteMode.DELETE;
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        try {
            byte[] document = ItemLine
                    .of(gone ? ItemVersion.marked(last.getOrDefault(item.key(), Map.of()), item) : item);
            lines.writeBytes((Json.text(writes == WriteMode.APPEND
                    ? Map.of("create", Map.of("_id", item.id()))
                    : Map.of(deletes ? "delete" : "index",
                            Map.of("_id", item.key(), "version", ItemVersion.of(item), "version_type", "external")))
                    + "\n").getBytes(StandardCharsets.UTF_8));
            lines.writeBytes(deletes ? new byte[0] : document);
        } catch (IllegalArgumentException e) {
            refused.put(placed.position(), String.valueOf(e.getMessage()));
        }
        return lines.toByteArray();
    }

    private void makeTemplate(OpenSearchIndex index) throws IOException, InterruptedException {
        String key = index.url() + "/" + index.name();
        if (!index.template() || templates.contains(key)) {
            return;
        }
        RemoteAnswer answer = calls.send(index::templateRequest);
        boolean exists = answer.status() == BAD_REQUEST
                && new String(answer.body(), StandardCharsets.UTF_8).contains("already exists");
        if (answer.status() != OK && !exists) {
            throw answer.failure("the template of the index " + index.name());
        }
        templates.add(key);
    }

    private void write(OpenSearchIndex index, List<Document> documents, Map<Long, String> refused)
            throws IOException, InterruptedException {
        List<Document> left = List.copyOf(documents);
        for (int pauses = 0; !left.isEmpty(); pauses++) {
            List<Document> asked = left;
            RemoteAnswer answer = calls.send(() -> index.bulk(asked.stream().map(Document::lines).toList()));
            if (answer.status() == TOO_LARGE) {
                writeInParts(index, asked, refused);
                return;
            }
            if (answer.status() != OK) {
                throw answer.failure("the index " + index.name());
            }
            BulkAnswer bulk = BulkAnswer.read(answer.body(), asked.size());
            bulk.refused().forEach((place, cause) -> refused.put(asked.get(place).position(), cause));
            left = bulk.again().stream().map(asked::get).toList();
            if (!left.isEmpty()) {
                calls.pause(index.url(), pauses, bulk.busy());
            }
        }
    }

    /** The server takes smaller requests only; a document that is too large alone is refused. */
    private void writeInParts(OpenSearchIndex index, List<Document> documents, Map<Long, String> refused)
            throws IOException, InterruptedException {
        if (documents.size() == 1) {
            refused.put(documents.getFirst().position(),
                    "the server takes no document of " + documents.getFirst().lines().length + " bytes");
            return;
        }
        int half = documents.size() / 2;
        write(index, documents.subList(0, half), refused);
        write(index, documents.subList(half, documents.size()), refused);
    }

    @Override
    public void close() {
        calls.close();
    }
}
