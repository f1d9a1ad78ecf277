package io.trawl.pipeline.format;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.trawl.api.Item;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The line of an item in a file of comma-separated values (RFC 4180, UTF-8, line feeds): a column per field. Lists and
 * objects are JSON in their column; what an item lacks is empty. A text that a spreadsheet would take for a formula has
 * an apostrophe before it, since pages of strangers write it.
 */
public final class CsvLine {
    /** With the full-width forms, which some spreadsheets take for the others. */
    private static final String FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

    private CsvLine() {}

    /** The first line of a file. */
    public static byte[] header(List<String> fields) {
        return line(fields.stream().map(CsvLine::safe).toList());
    }

    /** @throws IllegalArgumentException if a field holds a value that JSON cannot express */
    static byte[] of(Item item, List<String> fields) {
        return line(fields.stream().map(field -> ItemLine.value(item, field).map(CsvLine::text).orElse("")).toList());
    }

    /** The line of values: texts, and others as their JSON. */
    public static byte[] of(List<Object> values) {
        return line(values.stream().map(CsvLine::text).toList());
    }

    private static byte[] line(List<String> columns) {
        StringWriter line = new StringWriter();
        CsvWriter writer = CsvWriter.builder().lineDelimiter(LineDelimiter.LF).bufferSize(0).build(line);
        // A line without any character is not a record to most readers.
        if (columns.equals(List.of(""))) {
            line.write("\"\"\n");
        } else {
            writer.writeRecord(columns);
        }
        return line.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Object value) {
        return value instanceof String text ? safe(text) : ItemLine.json(value);
    }

    private static String safe(String text) {
        return Optional.of(text).filter(t -> !t.isEmpty() && FORMULA.indexOf(t.charAt(0)) >= 0).map(t -> "'" + t)
                .orElse(text);
    }
}
