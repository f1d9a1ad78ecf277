package io.trawl.standalone.ui;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A page in a browser, used by mouse and keys. Records every request and every error of the console. Used by one
 * thread.
 */
final class Tab implements AutoCloseable {
    /** For everything: a busy machine with two cores needs many seconds for a crawl of one page. */
    private static final Duration SETTLED = Duration.ofMillis(50);
    private static final Map<String, Integer> CODES = Map.of("Tab", 9, "Enter", 13, "Escape", 27, " ", 32);
    /** The middle of an element that can be clicked now, with a note of the click; null if it cannot. */
    private static final String TO_CLICK = """
            (async () => {
              const e = document.querySelector(%s);
              if (!e?.checkVisibility() || e.disabled) return null;
              e.scrollIntoView({block: 'center', behavior: 'instant'});
              const before = e.getBoundingClientRect();
              await new Promise((done) => setTimeout(done, %d));
              const now = e.getBoundingClientRect();
              const at = {x: now.x + now.width / 2, y: now.y + now.height / 2};
              if (now.x !== before.x || now.y !== before.y || !e.contains(document.elementFromPoint(at.x, at.y))) return null;
              window.gotClick = false;
              e.addEventListener('click', () => (window.gotClick = true), {once: true, capture: true});
              return at;
            })()""";
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Map.Entry<String, String>> bodies = new CopyOnWriteArrayList<>();
    private final List<String> troubles = new CopyOnWriteArrayList<>();
    private final WebSocket socket;
    private final String session;

    Tab(URI browser, int width, int height) {
        socket = http.newWebSocketBuilder().buildAsync(browser, new Reader()).join();
        String target = call("", "Target.createTarget", Map.of("url", "about:blank")).path("targetId").asText();
        session = call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true)).path("sessionId")
                .asText();
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", Map.of());
        }
        call("Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** Calls a method of the DevTools protocol. */
    JsonNode call(String method, Map<String, ?> params) {
        return call(session, method, params);
    }

    private JsonNode call(String to, String method, Map<String, ?> params) {
        int id = calls.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        open.put(id, answer);
        Map<String, Object> message = new HashMap<>(Map.of("id", id, "method", method, "params", params));
        if (!to.isEmpty()) {
            message.put("sessionId", to);
        }
        socket.sendText(Json.text(message), true).join();
        JsonNode got = answer.orTimeout(TestTimeouts.LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        if (got.has("error")) {
            throw new AssertionError(method + ": " + got.path("error"));
        }
        return got.path("result");
    }

    /** Goes to an address and waits until it is loaded. */
    void go(URI address) {
        call("Page.navigate", Map.of("url", address.toString()));
        until("document.readyState === 'complete' && location.href !== 'about:blank'");
    }

    /** Which of the two themes the system prefers. */
    void prefer(boolean dark) {
        call("Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                        Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    /** The value of an expression in the page; promises are awaited. */
    JsonNode value(String expression) {
        JsonNode got = call("Runtime.evaluate",
                Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
        if (got.has("exceptionDetails")) {
            throw new AssertionError(
                    expression + ": " + got.path("exceptionDetails").path("exception").path("description").asText());
        }
        return got.path("result").path("value");
    }

    /** Waits until an expression is true. */
    void until(String expression) {
        await(expression).pollInterval(Duration.ofMillis(100))
                .until(() -> value("Boolean(" + expression + ")").asBoolean());
    }

    /** The text of the first element, as it is shown. */
    String text(String css) {
        return value("document.querySelector(" + Json.text(css) + ")?.innerText ?? ''").asText();
    }

    /**
     * Clicks into the middle of an element once it is shown, stands still and is not covered. If the page has moved or
     * disabled it between the look and the click, the element gets no click: then once more.
     */
    void click(String css) {
        await("a click on " + css).pollInterval(Duration.ofMillis(100)).until(() -> clicked(css));
    }

    private boolean clicked(String css) {
        JsonNode at = value(TO_CLICK.formatted(Json.text(css), SETTLED.toMillis()));
        if (!at.isObject()) {
            return false;
        }
        for (String type : List.of("mousePressed", "mouseReleased")) {
            call("Input.dispatchMouseEvent", Map.of("type", type, "x", at.path("x").asDouble(), "y",
                    at.path("y").asDouble(), "button", "left", "clickCount", 1));
        }
        return value("window.gotClick").asBoolean();
    }

    /** Types into the element that has the focus. */
    void type(String text) {
        call("Input.insertText", Map.of("text", text));
    }

    /** Clicks into a field and types. */
    void type(String css, String text) {
        click(css);
        type(text);
    }

    /** Clicks into a field and types over what is in it. */
    void replace(String css, String text) {
        click(css);
        value("document.activeElement.select()");
        type(text);
    }

    /** Presses a key: {@code Tab}, {@code Enter}, {@code Escape} or a blank. */
    void press(String key) {
        for (String type : List.of("keyDown", "keyUp")) {
            Map<String, Object> params = new HashMap<>(Map.of("type", type, "key", key, "code",
                    key.equals(" ") ? "Space" : key, "windowsVirtualKeyCode", CODES.get(key)));
            if (key.equals("Enter") && type.equals("keyDown")) {
                params.put("text", "\r");
            }
            call("Input.dispatchKeyEvent", params);
        }
    }

    /** A screenshot as PNG. */
    byte[] screenshot() {
        return Base64.getDecoder()
                .decode(call("Page.captureScreenshot", Map.of("format", "png")).path("data").asText());
    }

    /** The URLs of all requests so far. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    /** The bodies of all requests with a method so far. */
    List<String> sent(String method) {
        return bodies.stream().filter(body -> body.getKey().equals(method)).map(Map.Entry::getValue).toList();
    }

    /** Every error of the console and every exception so far. */
    List<String> troubles() {
        return List.copyOf(troubles);
    }

    /** Forgets the errors so far: those that a test has provoked. */
    void forgetTroubles() {
        troubles.clear();
    }

    @Override
    public void close() {
        socket.abort();
        http.shutdownNow();
    }

    private void received(JsonNode message) {
        if (message.has("id")) {
            CompletableFuture<JsonNode> answer = open.remove(message.path("id").asInt());
            if (answer != null) {
                answer.complete(message);
            }
            return;
        }
        JsonNode params = message.path("params");
        switch (message.path("method").asText()) {
            case "Network.requestWillBeSent" -> {
                requests.add(params.at("/request/url").asText());
                if (params.at("/request").has("postData")) {
                    bodies.add(
                            Map.entry(params.at("/request/method").asText(), params.at("/request/postData").asText()));
                }
            }
            case "Runtime.exceptionThrown" -> troubles.add(params.at("/exceptionDetails").toString());
            case "Log.entryAdded" -> {
                if (params.at("/entry/level").asText().equals("error")) {
                    troubles.add(params.at("/entry/text").asText() + " " + params.at("/entry/url").asText());
                }
            }
            case "Runtime.consoleAPICalled" -> {
                if (List.of("error", "assert", "warning").contains(params.path("type").asText())) {
                    troubles.add(params.path("args").toString());
                }
            }
            default -> {
                // Not used by the tests.
            }
        }
    }

    private final class Reader implements WebSocket.Listener {
        private final List<CharSequence> parts = new ArrayList<>();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            parts.add(data.toString());
            if (last) {
                String whole = String.join("", parts);
                parts.clear();
                try {
                    received(Json.mapper().readTree(whole));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }
    }
}
