package io.trawl.pipeline.call;

import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.control.ControlView;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.direct.ItemPage;
import io.trawl.http.CallRefusedException;
import io.trawl.http.Route;
import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.format.FileFormat;
import io.trawl.pipeline.read.ItemReader;
import io.trawl.pipeline.read.ItemReader.ItemQuery;
import io.trawl.pipeline.read.ItemReader.ReadPage;
import io.trawl.pipeline.read.SinkFileReader;
import io.trawl.pipeline.spi.SinkProvider.SinkReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;

/**
 * {@code GET /items}: reads stored items. Runs on the threads of the endpoint, a few calls at a time, and never on the
 * one that stores items. Thread-safe.
 */
public final class ItemCallHandler {
    private static final int AT_A_TIME = 2;
    private static final int MOST = 1000;
    private static final String SINK = "sink";
    private final ItemReader items;
    private final SinkFileReader sinkFiles;
    private final List<SinkReader> others;
    private final ControlView control;
    private final Semaphore room = new Semaphore(AT_A_TIME);

    /**
     * @param others the items of sinks outside the output folder
     * @param control what says which sinks a crawl has
     */
    public ItemCallHandler(ItemReader items, SinkFileReader sinkFiles, List<SinkReader> others, ControlView control) {
        this.items = items;
        this.sinkFiles = sinkFiles;
        this.others = others;
        this.control = control;
    }

    /** The route that it answers. */
    public Route call() {
        return Route.get(ItemPage.PATH, this::answer);
    }

    private CallResponse answer(Call call) throws InterruptedException {
        CrawlRun run = CrawlRun.parse(call.text("run").orElse(""));
        Optional<String> place = call.text("place");
        room.acquire();
        try {
            return page(place.isPresent() ? item(run, place.get()) : read(run, call));
        } catch (IOException e) {
            throw new CallRefusedException(503, "the files cannot be read: " + e.getMessage());
        } finally {
            room.release();
        }
    }

    private ReadPage item(CrawlRun run, String place) throws IOException {
        byte[] line = items.item(run, place).orElseThrow(
                () -> new CallRefusedException(404, "no item of " + run + " is at " + place + " any more"));
        return new ReadPage(new ItemPage(List.of(place), Optional.empty(), Optional.empty(), true, 1), List.of(line));
    }

    private ReadPage read(CrawlRun run, Call call) throws IOException, InterruptedException {
        ItemQuery wanted = query(run, call);
        Optional<SinkDefinition> sink = Optional.ofNullable(call.query().get(SINK))
                .flatMap(names -> sink(run, names.getFirst()));
        for (SinkReader stored : others) {
            if (sink.isPresent() && stored.reads(sink.get())) {
                return sinkFiles.page(wanted, stored.of(sink.get(), run));
            }
        }
        Optional<FileFormat> format = sink.map(ItemCallHandler::format)
                .filter(files -> files.chunks() || !files.ending().equals(SinkDefinition.JSON_LINES));
        return format.isPresent() ? sinkFiles.page(wanted, format.get()) : items.page(wanted);
    }

    /**
     * @param name of a sink; if that is empty, the first one of items that can be read: plain JSON lines before others
     */
    private Optional<SinkDefinition> sink(CrawlRun run, String name) {
        List<SinkDefinition> readable = control.crawl(run.crawl()).stream()
                .flatMap(status -> status.definition().sinks().stream())
                .filter(sink -> !name.isEmpty() || !sink.ofChunks())
                .filter(sink -> others.stream().anyMatch(stored -> stored.reads(sink))
                        || sink.isFiles() && SinkFileReader.reads(format(sink)))
                .toList();
        Optional<SinkDefinition> chosen = readable.stream()
                .filter(sink -> name.isEmpty()
                        ? sink.isFiles() && format(sink).ending().equals(SinkDefinition.JSON_LINES)
                        : sink.named().equals(name))
                .findFirst();
        if (chosen.isEmpty() && !name.isEmpty()) {
            throw new InvalidValueException(SINK, name,
                    "a sink of the crawl with JSON lines or comma-separated values" + (readable.isEmpty()
                            ? ", which defines none"
                            : ", one of: " + String.join(", ", readable.stream().map(SinkDefinition::named).toList())));
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
        return CallResponse.of(200, ItemPage.TYPE, body.toByteArray());
    }

    private static ItemQuery query(CrawlRun run, Call call) {
        return new ItemQuery(run, kinds(call.text("kind").orElse("")), call.text("url").orElse(""),
                newestFirst(call.text("order").orElse("newest")), call.text("cursor"),
                call.number("limit", 100, 1, MOST));
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
}
