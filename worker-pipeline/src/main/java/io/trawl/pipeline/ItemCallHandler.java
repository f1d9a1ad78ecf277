package io.trawl.pipeline;

import io.trawl.api.ItemKind;
import io.trawl.codec.Json;
import io.trawl.direct.ItemPage;
import io.trawl.http.CallRefusedException;
import io.trawl.http.DirectCall;
import io.trawl.http.DirectCall.CallRequest;
import io.trawl.http.DirectCall.CallResponse;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.read.ItemReader;
import io.trawl.pipeline.read.ItemReader.ItemQuery;
import io.trawl.pipeline.read.ItemReader.ReadPage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;

/** {@code GET /items}: reads stored items. Runs on the threads of the endpoint, a few calls at a time, and never on the one that stores items. Thread-safe. */
final class ItemCallHandler {
    private static final int AT_A_TIME = 2;
    private static final int MOST = 1000;
    private final ItemReader items;
    private final Semaphore room = new Semaphore(AT_A_TIME);

    ItemCallHandler(ItemReader items) {
        this.items = items;
    }

    DirectCall call() {
        return DirectCall.get(ItemPage.PATH, this::answer);
    }

    private CallResponse answer(CallRequest callRequest) throws InterruptedException {
        Map<String, String> query = callRequest.query();
        CrawlRun run = CrawlRun.parse(query.getOrDefault("run", ""));
        room.acquire();
        try {
            return query.containsKey("place") ? item(run, query.getOrDefault("place", "")) : page(query(run, query));
        } catch (IOException e) {
            throw new CallRefusedException(503, "the files cannot be read: " + e.getMessage());
        } finally {
            room.release();
        }
    }

    private CallResponse item(CrawlRun run, String place) throws IOException {
        byte[] line = items.item(run, place)
                .orElseThrow(() -> new CallRefusedException(404, "no item of " + run + " is at " + place + " any more"));
        return page(new ReadPage(new ItemPage(List.of(place), Optional.empty(), Optional.empty(), true, 1), List.of(line)));
    }

    private CallResponse page(ItemQuery query) throws IOException {
        return page(items.page(query));
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
