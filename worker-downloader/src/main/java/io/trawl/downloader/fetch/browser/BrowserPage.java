package io.trawl.downloader.fetch.browser;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.FetchAnswer;
import io.trawl.api.FetchFailedException;
import io.trawl.api.FetchTask;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One page in a context of its own: no cookies, no storage, no downloads, no service workers. Every request of the page stops at
 * this class: scripts, and what scripts get by {@code fetch} and {@code XMLHttpRequest}, come through the task, one after the other;
 * everything else is refused. What the protocol cannot stop, such as WebSockets, finds no network. Used by one thread.
 */
final class BrowserPage implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    /** A page is complete when it is loaded and has got nothing for so long. */
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final Set<String> SERVED = Set.of("Script", "XHR", "Fetch");
    /** Empty: the browser has ended. */
    private static final Set<String> WANTED = Set.of("Page.loadEventFired", "Page.javascriptDialogOpening",
            "Inspector.targetCrashed", "");
    private static final Set<String> NOT_PASSED_ON = Set.of("content-encoding", "content-length", "transfer-encoding",
            "set-cookie");
    private static final int MOST_REDIRECTS = 5;
    private static final int MOST_EVENTS = 256;
    private static final int LONGEST_URL = 8192;
    private final BrowserProcess process;
    private final DevToolsPipe pipe;
    private final FetchTask task;
    private final Time time;
    private final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>(MOST_EVENTS);
    private String context = "";
    private String target = "";
    private String session = "";
    private boolean documentGiven;
    private boolean loaded;
    private long progress;

    private BrowserPage(BrowserProcess process, FetchTask task, Time time) {
        this.process = process;
        this.pipe = process.pipe();
        this.task = task;
        this.time = time;
    }

    /** Opens an empty page. */
    static BrowserPage open(BrowserProcess process, FetchTask task, Time time)
            throws BrowserGoneException, IOException, TimeoutException, InterruptedException {
        BrowserPage page = new BrowserPage(process, task, time);
        try {
            page.open();
            return page;
        } catch (BrowserGoneException | IOException | TimeoutException | InterruptedException e) {
            page.close();
            throw e;
        }
    }

    private void open() throws BrowserGoneException, IOException, TimeoutException, InterruptedException {
        context = pipe.call("", "Target.createBrowserContext", Map.of(), LIMIT).path("browserContextId").asText();
        pipe.call("", "Browser.setDownloadBehavior", Map.of("behavior", "deny", "browserContextId", context), LIMIT);
        target = pipe.call("", "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context), LIMIT)
                .path("targetId").asText();
        session = pipe.call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true), LIMIT).path("sessionId")
                .asText();
        pipe.listen(session, this::received);
        call("Network.enable", Map.of());
        call("Network.setBypassServiceWorker", Map.of("bypass", true));
        call("Emulation.setUserAgentOverride", Map.of("userAgent", task.headers().getOrDefault("User-Agent", "")));
        call("Fetch.enable", Map.of("patterns", List.of(Map.of("urlPattern", "*", "requestStage", "Request"))));
        call("Inspector.enable", Map.of());
        call("Page.enable", Map.of());
    }

    private JsonNode call(String method, Map<String, ?> parameters)
            throws BrowserGoneException, IOException, TimeoutException, InterruptedException {
        return pipe.call(session, method, parameters, LIMIT);
    }

    /**
     * The page when it is complete, or at the latest when four fifths of the task's time are over.
     *
     * @throws TimeoutException if the scripts do not let the page be read
     */
    String render(FetchAnswer document) throws BrowserGoneException, IOException, TimeoutException, InterruptedException {
        long end = time.nanos() + task.remaining().toNanos() / 5 * 4;
        pipe.tell(session, "Page.navigate", Map.of("url", task.url()));
        progress = time.nanos();
        for (long left = left(end); left > 0; left = left(end)) {
            JsonNode event = events.poll(left, TimeUnit.NANOSECONDS);
            if (event != null) {
                handle(event, document);
            }
        }
        JsonNode root = call("DOM.getDocument", Map.of("depth", 0)).path("root").path("nodeId");
        return call("DOM.getOuterHTML", Map.of("nodeId", root)).path("outerHTML").asText();
    }

    private long left(long end) {
        long now = time.nanos();
        return loaded ? Math.min(end - now, progress + QUIET.toNanos() - now) : end - now;
    }

    /** Runs on the thread of the pipe. A page that asks faster than it is served is refused. */
    private void received(JsonNode event) {
        String method = event.path("method").asText();
        JsonNode parameters = event.path("params");
        boolean request = method.equals("Fetch.requestPaused");
        boolean wanted = request ? isServed(parameters) : WANTED.contains(method);
        if (!(wanted && events.offer(event)) && request) {
            refuse(parameters.path("requestId").asText());
        }
    }

    private boolean isServed(JsonNode paused) {
        String type = paused.path("resourceType").asText();
        JsonNode request = paused.path("request");
        boolean document = type.equals("Document") && paused.path("frameId").asText().equals(target);
        return (document || SERVED.contains(type)) && request.path("method").asText().equals("GET")
                && request.path("url").asText().length() <= LONGEST_URL;
    }

    private void handle(JsonNode event, FetchAnswer document) throws BrowserGoneException, InterruptedException {
        JsonNode parameters = event.path("params");
        switch (event.path("method").asText()) {
            case "Fetch.requestPaused" -> paused(parameters, document);
            case "Page.loadEventFired" -> {
                loaded = documentGiven;
                progress = time.nanos();
            }
            case "Page.javascriptDialogOpening" -> pipe.tell(session, "Page.handleJavaScriptDialog", Map.of("accept", false));
            case "Inspector.targetCrashed" -> throw new BrowserGoneException("the process of the page has crashed");
            case "" -> throw new BrowserGoneException("the browser has ended");
            default -> {
                // of no interest
            }
        }
    }

    private void paused(JsonNode request, FetchAnswer document) throws InterruptedException {
        String id = request.path("requestId").asText();
        String type = request.path("resourceType").asText();
        boolean first = type.equals("Document") && !documentGiven;
        documentGiven |= first;
        if (first) {
            fulfil(id, document);
        } else if (SERVED.contains(type)) {
            serve(id, request.path("request").path("url").asText());
        } else {
            refuse(id);
        }
    }

    private void serve(String id, String url) throws InterruptedException {
        try {
            fulfil(id, followed(url));
            progress = time.nanos();
        } catch (FetchFailedException | IllegalArgumentException e) {
            refuse(id);
        }
    }

    private FetchAnswer followed(String url) throws FetchFailedException, InterruptedException {
        FetchAnswer answer = task.get(url);
        String at = url;
        for (int i = 0; i < MOST_REDIRECTS && answer.status() / 100 == 3 && answer.headers().containsKey("location"); i++) {
            at = URI.create(at).resolve(Optional.ofNullable(answer.headers().get("location")).orElse("")).toString();
            answer = task.get(at);
        }
        return answer;
    }

    private void fulfil(String id, FetchAnswer answer) {
        List<Map<String, String>> headers = answer.headers().entrySet().stream().filter(h -> !NOT_PASSED_ON.contains(h.getKey()))
                .map(h -> Map.of("name", h.getKey(), "value", h.getValue())).toList();
        pipe.tell(session, "Fetch.fulfillRequest",
                Map.of("requestId", id, "responseCode", answer.status(), "responseHeaders", headers,
                        "body", Base64.getEncoder().encodeToString(answer.body())));
    }

    /** An aborted navigation leaves the page as it is, a blocked one replaces it by an error. */
    private void refuse(String id) {
        pipe.tell(session, "Fetch.failRequest", Map.of("requestId", id, "errorReason", "Aborted"));
    }

    /** Ends the page and all that it has opened. A browser that cannot do that is ended. */
    @Override
    public void close() {
        pipe.forget(session);
        boolean interrupted = Thread.interrupted();
        try {
            if (!context.isEmpty() && !pipe.ended()) {
                pipe.call("", "Target.disposeBrowserContext", Map.of("browserContextId", context), LIMIT);
            }
        } catch (BrowserGoneException | IOException | TimeoutException e) {
            process.close();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
