package io.trawl.downloader.fetch.browser;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.FetchAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The session of the DevTools protocol with one page in a context of its own: no cookies, no storage, no downloads, no
 * service workers. Each request of the page waits until it is answered or aborted. Used by one thread.
 */
final class PageSession implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final Set<String> NOT_PASSED_ON = Set.of("content-encoding", "content-length", "transfer-encoding",
            "set-cookie");
    private final BrowserProcess process;
    private final DevToolsPipe pipe;
    private String context = "";
    private String target = "";
    private String session = "";

    PageSession(BrowserProcess process) {
        this.process = process;
        this.pipe = process.pipe();
    }

    /**
     * Opens an empty page.
     *
     * @param events takes what the page does, on the thread of the pipe
     */
    void open(String userAgent, Consumer<JsonNode> events)
            throws BrowserGoneException, IOException, TimeoutException, InterruptedException {
        context = pipe.call("", "Target.createBrowserContext", Map.of(), LIMIT).path("browserContextId").asText();
        pipe.call("", "Browser.setDownloadBehavior", Map.of("behavior", "deny", "browserContextId", context), LIMIT);
        target = pipe.call("", "Target.createTarget", Map.of("url", "about:blank", "browserContextId", context), LIMIT)
                .path("targetId").asText();
        session = pipe.call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true), LIMIT)
                .path("sessionId").asText();
        pipe.listen(session, events);
        call("Network.enable", Map.of());
        call("Network.setBypassServiceWorker", Map.of("bypass", true));
        call("Emulation.setUserAgentOverride", Map.of("userAgent", userAgent));
        call("Fetch.enable", Map.of("patterns", List.of(Map.of("urlPattern", "*", "requestStage", "Request"))));
        call("Inspector.enable", Map.of());
        call("Page.enable", Map.of());
    }

    /** Calls a method, and waits for its result. */
    JsonNode call(String method, Map<String, ?> parameters)
            throws BrowserGoneException, IOException, TimeoutException, InterruptedException {
        return pipe.call(session, method, parameters, LIMIT);
    }

    /** Calls a method, and does not wait. */
    void tell(String method, Map<String, ?> parameters) {
        pipe.tell(session, method, parameters);
    }

    /** The id of the page. */
    String target() {
        return target;
    }

    /** Answers a request of the page. */
    void fulfil(String id, FetchAnswer answer) {
        List<Map<String, String>> headers = answer.headers().entrySet().stream()
                .filter(h -> !NOT_PASSED_ON.contains(h.getKey()))
                .map(h -> Map.of("name", h.getKey(), "value", h.getValue())).toList();
        tell("Fetch.fulfillRequest", Map.of("requestId", id, "responseCode", answer.status(), "responseHeaders",
                headers, "body", Base64.getEncoder().encodeToString(answer.body())));
    }

    /** An aborted navigation leaves the page as it is, a blocked one replaces it by an error. */
    void abort(JsonNode paused) {
        tell("Fetch.failRequest", Map.of("requestId", paused.path("requestId").asText(), "errorReason", "Aborted"));
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
