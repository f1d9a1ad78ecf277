package io.trawl.pipeline.read;

import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import io.trawl.codec.Json;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.pipeline.format.FileCompression;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The items of a file of JSON lines or comma-separated values, compressed or not, from its beginning: each as one JSON
 * object, which has the columns that are not empty as texts if they were comma-separated. Wherever the bytes come from;
 * the name says what they are. Not thread-safe.
 */
final class FileItems implements AutoCloseable {
    private static final int BUFFER = 64 * 1024;
    private final InputStream in;
    private final Optional<CsvReader<NamedCsvRecord>> csv;
    private final byte[] read = new byte[BUFFER];
    private int from;
    private int to;

    private FileItems(InputStream in, Optional<CsvReader<NamedCsvRecord>> csv) {
        this.in = in;
        this.csv = csv;
    }

    /** Whether files with this ending can be read. */
    static boolean readable(String ending) {
        String type = ending.substring(0, ending.length() - FileCompression.ofName(ending).ending().length());
        return type.endsWith(SinkDefinition.JSON_LINES) || type.endsWith(SinkDefinition.CSV);
    }

    /** @param file is closed with this, also if this throws */
    static FileItems of(String name, InputStream file) throws IOException {
        FileCompression compression = FileCompression.ofName(name);
        try {
            InputStream in = compression.reading(new BufferedInputStream(file, BUFFER));
            return new FileItems(in, name.endsWith("." + SinkDefinition.CSV + compression.ending())
                    ? Optional
                            .of(CsvReader.builder().ofNamedCsvRecord(new InputStreamReader(in, StandardCharsets.UTF_8)))
                    : Optional.empty());
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    /** The next item, without a line feed; empty at the end. */
    Optional<byte[]> next() throws IOException {
        return csv.isPresent() ? row(csv.get()) : line();
    }

    private static Optional<byte[]> row(CsvReader<NamedCsvRecord> csv) throws IOException {
        try {
            for (NamedCsvRecord row : csv) {
                Map<String, String> item = new LinkedHashMap<>(row.getFieldsAsMap());
                item.values().removeIf(String::isEmpty);
                return Optional.of(Json.bytes(item));
            }
            return Optional.empty();
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Optional<byte[]> line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
        while (from < to || fill()) {
            int end = from;
            while (end < to && read[end] != '\n') {
                end++;
            }
            line.write(read, from, end - from);
            from = end + 1;
            if (end < to) {
                return Optional.of(line.toByteArray());
            }
        }
        return Optional.empty();
    }

    /** Whether there are further bytes. */
    private boolean fill() throws IOException {
        from = 0;
        to = in.read(read);
        return to > 0;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
