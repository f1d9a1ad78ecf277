package io.trawl.pipeline.remote;

import io.trawl.api.Item;
import io.trawl.api.ItemsRefusedException;
import io.trawl.api.Sink;
import io.trawl.api.SinkBatch;
import io.trawl.api.SinkBatch.PlacedItem;
import io.trawl.codec.Json;
import io.trawl.control.CrawlVariables;
import io.trawl.control.sink.BuiltInSink;
import io.trawl.pipeline.format.ItemLine;
import io.trawl.pipeline.remote.RemoteCalls.RemoteAnswer;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Stores items as documents of an index of OpenSearch, whose ids are those of the items. A document is only ever
 * created: an item that comes again, also late, from a process that was paused, finds it and changes nothing. A
 * document that the index refuses for good is left out and reported.
 */
public final class OpenSearchSink implements Sink {
    /** Of a request: hosted servers refuse more than 10 MiB. */
    private static final long MOST_BYTES = 5 << 20;
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

    @Override
    public String type() {
        return BuiltInSink.OPENSEARCH.type();
    }

    @Override
    public void store(SinkBatch batch) throws IOException, InterruptedException, ItemsRefusedException {
        OpenSearchIndex index = OpenSearchIndex.of(batch, variables, answer);
        makeTemplate(index);
        Map<Long, String> refused = new TreeMap<>();
        List<Document> documents = new ArrayList<>();
        long bytes = 0;
        for (PlacedItem placed : batch.items()) {
            byte[] lines = lines(placed, refused);
            if (bytes + lines.length > MOST_BYTES && !documents.isEmpty()) {
                create(index, documents, refused);
                documents.clear();
                bytes = 0;
            }
            if (lines.length > 0) {
                documents.add(new Document(placed.position(), lines));
                bytes += lines.length;
            }
        }
        create(index, documents, refused);
        if (!refused.isEmpty()) {
            throw new ItemsRefusedException(refused);
        }
    }

    /** Nothing if the item has no form in JSON. */
    private static byte[] lines(PlacedItem placed, Map<Long, String> refused) {
        Item item = placed.item();
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        try {
            byte[] document = ItemLine.of(item);
            lines.writeBytes(
                    (Json.text(Map.of("create", Map.of("_id", item.id()))) + "\n").getBytes(StandardCharsets.UTF_8));
            lines.writeBytes(document);
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

    private void create(OpenSearchIndex index, List<Document> documents, Map<Long, String> refused)
            throws IOException, InterruptedException {
        List<Document> left = List.copyOf(documents);
        for (int pauses = 0; !left.isEmpty(); pauses++) {
            List<Document> asked = left;
            RemoteAnswer answer = calls.send(() -> index.bulk(asked.stream().map(Document::lines).toList()));
            if (answer.status() == TOO_LARGE) {
                createInParts(index, asked, refused);
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
    private void createInParts(OpenSearchIndex index, List<Document> documents, Map<Long, String> refused)
            throws IOException, InterruptedException {
        if (documents.size() == 1) {
            refused.put(documents.getFirst().position(),
                    "the server takes no document of " + documents.getFirst().lines().length + " bytes");
            return;
        }
        int half = documents.size() / 2;
        create(index, documents.subList(0, half), refused);
        create(index, documents.subList(half, documents.size()), refused);
    }

    @Override
    public void close() {
        calls.close();
    }
}
