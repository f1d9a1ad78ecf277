package io.trawl.downloader.fetch.browser;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.FetchFailedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;

/** Reads what the scripts of a page have made of it, by a script in a world of its own, which they cannot reach. */
final class PageReader {
    private static final String SCRIPT = script();

    private PageReader() {}

    /** A method of the DevTools protocol, called in the session of the page. */
    interface Methods {
        JsonNode call(String method, Map<String, ?> parameters)
                throws BrowserGoneException, IOException, TimeoutException, InterruptedException;
    }

    /**
     * A page at one moment.
     *
     * @param text whether there is something to read in it
     */
    record PageContent(String html, boolean text) {}

    private static String script() {
        try (InputStream in = Objects.requireNonNull(PageReader.class.getResourceAsStream("read-page.js"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param frame the id of its main frame */
    static PageContent read(Methods page, String frame)
            throws BrowserGoneException, IOException, TimeoutException, InterruptedException {
        int world = page.call("Page.createIsolatedWorld", Map.of("frameId", frame)).path("executionContextId").asInt();
        JsonNode read = page.call("Runtime.evaluate",
                Map.of("contextId", world, "expression", SCRIPT, "returnByValue", true));
        if (read.has("exceptionDetails")) {
            throw new FetchFailedException("the page cannot be read: "
                    + read.path("exceptionDetails").path("exception").path("description").asText("an error"));
        }
        JsonNode content = read.path("result").path("value");
        return new PageContent(content.path("html").asText(), content.path("text").asBoolean());
    }
}
