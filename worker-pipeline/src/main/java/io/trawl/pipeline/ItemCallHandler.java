package io.trawl.pipeline;

import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.control.ControlView;
import io.trawl.control.sink.SinkDefinition;
import io.trawl.direct.ItemPage;
import io.trawl.http.CallRefusedException;
import io.trawl.http.DirectCall;
import io.trawl.http.DirectCall.CallRequest;
import io.trawl.http.DirectCall.CallResponse;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.read.ItemReader;
import io.trawl.pipeline.read.ItemReader.ItemQuery;
import io.trawl.pipeline.read.ItemReader.ReadPage;
import io.trawl.pipeline.read.SinkFileReader;
import io.trawl.pipeline.remote.S3Objects;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * {@code GET /items}: reads stored items. Runs on the threads of the endpoint, a few calls at a time, and never on the
 * one that stores items. Thread-safe.
 */
final class ItemCallHandler {
    private static final int AT_A_TIME = 2;
    private static final int MOST = 1000;
    private static final String SINK = "sink";
    private final ItemReader items;
    private final SinkFileReader sinkFiles;
    private final S3Objects objects;
    private final ControlView control;
    private final Semaphore room = new Semaphore(AT_A_TIME);

    /** @param control what says which sinks a crawl has */
    ItemCallHandler(ItemReader items, SinkFileReader sinkFiles, S3Objects objects, ControlView control) {
        this.items = items;
        this.sinkFiles = sinkFiles;
        this.objects = objects;
        this.control = control;
    }

    DirectCall call() {
        return DirectCall.get(ItemPage.PATH, this::answer);
    }

    private CallResponse answer(CallRequest callRequest) throws InterruptedException {
        Map<String, String> query = callRequest.query();
        CrawlRun run = CrawlRun.parse(query.getOrDefault("run", ""));
        room.acquire();
        try {
            if (query.containsKey("place")) {
                return item(run, query.getOrDefault("place", ""));
            }
            return page(read(run, query));
        } catch (IOException e) {
            throw new CallRefusedException(503, "the files cannot be read: " + e.getMessage());
        } finally {
            room.release();
        }
    }

    private CallResponse item(CrawlRun run, String place) throws IOException {
        byte[] line = items.item(run, place).orElseThrow(
                () -> new CallRefusedException(404, "no item of " + run + " is at " + place + " any more"));
        return page(
                new ReadPage(new ItemPage(List.of(place), Optional.empty(), Optional.empty(), true, 1), List.of(line)));
    }

    private ReadPage read(CrawlRun run, Map<String, String> query) throws IOException, InterruptedException {
        ItemQuery wanted = query(run, query);
        Optional<SinkDefinition> sink = Optional.ofNullable(query.get(SINK)).flatMap(name -> sink(run, name));
        Optional<SinkDefinition> bucket = sink.filter(S3Objects::reads);
        if (bucket.isPresent()) {
            return sinkFiles.page(wanted, objects.of(bucket.get(), run));
        }
        Optional<FileFormat> format = sink.map(ItemCallHandler::format)
                .filter(files -> !files.ending().equals(SinkDefinition.JSON_LINES));
        return format.isPresent() ? sinkFiles.page(wanted, format.get()) : items.page(wanted);
    }

    /** @param name of a sink; if that is empty, the first one that can be read: plain JSON lines before others */
    private Optional<SinkDefinition> sink(CrawlRun run, String name) {
        List<SinkDefinition> readable = control.crawl(run.crawl()).stream()
                .flatMap(status -> status.definition().sinks().stream())
                .filter(sink -> S3Objects.reads(sink) || sink.isFiles() && SinkFileReader.reads(format(sink))).toList();
        Optional<SinkDefinition> chosen = readable.stream()
                .filter(sink -> name.isEmpty()
                        ? sink.isFiles() && format(sink).ending().equals(SinkDefinition.JSON_LINES)
                        : sink.named().equals(name))
                .findFirst();
        if (chosen.isEmpty() && !name.isEmpty()) {
            throw new InvalidValueException(SINK, name,
                    "a sink of the crawl with JSON lines or comma-separated values, one of: "
                            + String.join(", ", readable.stream().map(SinkDefinition::named).toList()));
        }
        return chosen.or(() -> readable.stream().findFirst());
    }

    private static FileFormat format(SinkDefinition files) {
        return FileFormat.of(files, List.of());
    }

    private static CallResponse page(ReadPage page) {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        body.writeBytes(Json.bytes(page.head()));
        body.write('\n');
        page.lines().forEach(line -> {
            body.writeBytes(line);
            body.write('\n');
        });
        return new CallResponse(200, ItemPage.TYPE, body.toByteArray(), Map.of());
    }

    private static ItemQuery query(CrawlRun run, Map<String, String> query) {
        return new ItemQuery(run, kinds(query.getOrDefault("kind", "")), query.getOrDefault("url", ""),
                newestFirst(query.getOrDefault("order", "newest")),
                Optional.ofNullable(query.get("cursor")).filter(text -> !text.isEmpty()),
                limit(query.getOrDefault("limit", "100")));
    }

    private static Set<ItemKind> kinds(String text) {
        return switch (text) {
            case "" -> EnumSet.allOf(ItemKind.class);
            case "page" -> EnumSet.of(ItemKind.PAGE);
            case "error" -> EnumSet.of(ItemKind.ERROR);
            default -> throw new InvalidValueException("kind", text, "page or error");
        };
    }

    private static boolean newestFirst(String text) {
        if (!text.equals("newest") && !text.equals("oldest")) {
            throw new InvalidValueException("order", text, "newest or oldest");
        }
        return text.equals("newest");
    }

    private static int limit(String text) {
        if (!text.matches("[0-9]{1,4}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > MOST) {
            throw new InvalidValueException("limit", text, "1 to " + MOST);
        }
        return Integer.parseInt(text);
    }
}
