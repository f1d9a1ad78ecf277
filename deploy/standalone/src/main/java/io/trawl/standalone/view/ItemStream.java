package io.trawl.standalone.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.codec.Json;
import io.trawl.pipeline.format.CsvLine;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.text.Printer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Prints all items of a run as they come, in one form. Keeps a bounded number of them in memory. */
final class ItemStream {
    private static final int TOGETHER = 200;
    private static final String CSV = "csv";
    private static final String JSON_LINES = "jsonl";
    private final boolean csv;
    private final List<String> fields;
    private final long limit;

    /**
     * @param format {@value #CSV} or {@value #JSON_LINES}, which is the default
     * @param fields the only ones that are printed, in this order; empty: all
     * @throws UserMistakeException if they do not go together
     */
    ItemStream(Optional<String> format, List<String> fields, Optional<Integer> limit) {
        this.csv = format.filter(CSV::equals).isPresent();
        this.fields = List.copyOf(fields);
        this.limit = limit.map(Integer::longValue).orElse(Long.MAX_VALUE);
        format.filter(word -> !word.equals(CSV) && !word.equals(JSON_LINES)).ifPresent(word -> {
            throw new UserMistakeException("--format: '" + word + "' is not valid: " + JSON_LINES + " or " + CSV);
        });
        if (csv && fields.isEmpty()) {
            throw new UserMistakeException(
                    "--format: 'csv' is not valid: --fields must name its columns, such as --fields url,title");
        }
    }

    /** @param query what is asked for */
    void print(Api api, Printer printer, Query query) throws InterruptedException {
        try (InputStream body = api.lines(query.toString());
                BufferedReader items = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            List<String> lines = new ArrayList<>(csv ? List.of(text(CsvLine.header(fields))) : List.of());
            long printed = 0;
            for (String item = items.readLine(); item != null && printed < limit
                    && !printer.gone(); item = items.readLine()) {
                lines.add(line(item));
                printed++;
                if (lines.size() >= TOGETHER) {
                    printer.copy(lines);
                    lines.clear();
                }
            }
            printer.copy(lines);
        } catch (IOException e) {
            throw new CoordinatorUnavailableException("the items broke off, and are not complete: " + e.getMessage());
        }
    }

    private String line(String item) {
        if (fields.isEmpty()) {
            return item;
        }
        JsonNode whole = Json.read(item.getBytes(StandardCharsets.UTF_8), JsonNode.class);
        if (csv) {
            return text(CsvLine.of(fields.stream().map(field -> value(whole.path(field))).toList()));
        }
        ObjectNode part = Json.mapper().createObjectNode();
        fields.stream().filter(whole::has).forEach(field -> part.set(field, whole.get(field)));
        return Json.text(part);
    }

    private static Object value(JsonNode node) {
        return node.isMissingNode() || node.isNull() ? "" : node.isTextual() ? node.asText() : node;
    }

    private static String text(byte[] line) {
        return new String(line, 0, line.length - 1, StandardCharsets.UTF_8);
    }
}
