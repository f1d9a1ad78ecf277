package io.trawl.standalone.local;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.analyzer.extract.PageSelectors;
import io.trawl.codec.Json;
import io.trawl.coordinator.probe.Preview;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A fetched page, and what selectors take from it.
 *
 * @param selectors on a page in HTML; empty for anything else
 */
record ShellPage(Response response, Optional<PageSelectors> selectors, Preview preview) {
    /**
     * The texts of the elements of a CSS selector. @throws InvalidValueException if it is none, or the page is not HTML
     */
    List<String> css(String selector) {
        try {
            return html("css").css(selector);
        } catch (InvalidValueException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw invalid("css", selector, "a CSS selector such as h1 or a[href]", e);
        }
    }

    /** The texts of the nodes of an XPath. @throws InvalidValueException if it is none, or the page is not HTML */
    List<String> xpath(String path) {
        try {
            return html("xpath").xpath(path);
        } catch (InvalidValueException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw invalid("xpath", path, "an XPath of elements or texts such as //h1 or //h1/text()", e);
        }
    }

    /** The value at a JSON Pointer. @throws InvalidValueException if it is none, or the body is not JSON */
    List<String> json(String pointer) {
        JsonNode body;
        try {
            body = Json.mapper().readTree(response.body().bytes());
        } catch (IOException e) {
            throw new InvalidValueException("json", pointer, "used with a page of JSON, which this is not");
        }
        try {
            JsonNode found = body.at(JsonPointer.compile(pointer));
            return found.isMissingNode()
                    ? List.of()
                    : List.of(found.isTextual() ? found.asText() : found.toPrettyString());
        } catch (IllegalArgumentException e) {
            throw invalid("json", pointer, "a JSON Pointer such as /items/0/name", e);
        }
    }

    /** The headers of the response. */
    List<String> headers() {
        List<String> lines = new ArrayList<>();
        response.headers().entrySet().stream().sorted(Map.Entry.comparingByKey())
                .forEach(header -> lines.add(header.getKey() + ": " + header.getValue()));
        return lines;
    }

    private PageSelectors html(String command) {
        return selectors.orElseThrow(
                () -> new InvalidValueException(command, response.url(), "a page in HTML, which this is not"));
    }

    private static InvalidValueException invalid(String command, String given, String rule, Exception e) {
        return new InvalidValueException(command, given,
                rule + (e.getMessage() == null ? "" : " (" + e.getMessage() + ")"));
    }
}
