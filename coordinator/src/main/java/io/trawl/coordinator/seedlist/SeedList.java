package io.trawl.coordinator.seedlist;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.seedlist.TextLines.Line;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.Seed;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A list of seeds of any length, read seed by seed. It may be compressed with gzip. It is one of
 * <ul>
 * <li>lines: each a URL, a seed as a JSON object, a URL as a JSON text, or a line of CDXJ; empty lines, and those that
 * begin with {@code #}, are passed over;
 * <li>CSV (RFC 4180) with a column of URLs, if the caller names one;
 * <li>WARC.
 * </ul>
 * Needs the memory of one seed. Not thread-safe.
 */
public final class SeedList {
    private static final int BUFFER = 1 << 16;
    private static final byte[] GZIP = {0x1f, (byte) 0x8b};
    private static final byte[] WARC = "WARC/".getBytes(StandardCharsets.US_ASCII);
    /** A searchable URL, a time, and what is known of the capture. */
    private static final Pattern CDXJ = Pattern.compile("\\S+ \\d{4,17} (\\{.*\\})\\s*");
    private static final Pattern WEB = Pattern.compile("(?i)https?://");
    private static final Pattern REMARK = Pattern.compile("\\s#");
    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,3}");
    private final Source source;

    /**
     * A seed of the list.
     *
     * @param place where the list has it: {@code line 3}, or {@code record 3} of a WARC file
     * @param size about how many bytes it has there
     */
    public record ListedSeed(String place, Seed seed, int size) {
        static ListedSeed of(String place, String url) {
            return new ListedSeed(place, Seed.of(url), url.length());
        }
    }

    @FunctionalInterface
    private interface Source {
        Optional<ListedSeed> next() throws IOException;
    }

    private SeedList(Source source) {
        this.source = source;
    }

    /**
     * Begins to read.
     *
     * @param column of a CSV file: its name in the first line, or its number, from 1, in a file without names; empty:
     * the list is no CSV
     * @throws InvalidValueException if the CSV file has no such column, or what is compressed is damaged where it
     * begins
     */
    public static SeedList of(InputStream in, Optional<String> column) throws IOException {
        try {
            return ofText(plain(in), column);
        } catch (EOFException | ZipException e) {
            throw new InvalidValueException("line 1", "", "gzip that is complete (" + e.getMessage() + ")");
        }
    }

    private static SeedList ofText(InputStream text, Optional<String> column) throws IOException {
        if (column.isPresent()) {
            return new SeedList(csv(new TextLines(text), column.get()));
        }
        if (begins(text, WARC)) {
            WarcUrls urls = new WarcUrls(text);
            return new SeedList(urls::next);
        }
        TextLines lines = new TextLines(text);
        return new SeedList(() -> next(lines));
    }

    /**
     * The next seed; empty at the end.
     *
     * @throws InvalidValueException naming the place of one that is none; the next call goes on behind it
     */
    public Optional<ListedSeed> next() throws IOException {
        return source.next();
    }

    private static Optional<ListedSeed> next(TextLines lines) throws IOException {
        for (Optional<Line> line = lines.next(); line.isPresent(); line = lines.next()) {
            Optional<Seed> seed = seed(line.get());
            if (seed.isPresent()) {
                return Optional.of(new ListedSeed(line.get().place(), seed.get(), line.get().text().length()));
            }
        }
        return Optional.empty();
    }

    private static Optional<Seed> seed(Line line) {
        String text = line.text().strip();
        if (text.isEmpty() || text.startsWith("#") || text.startsWith("!")) { // of CDXJ, what begins with ! is its head
            return Optional.empty();
        }
        if (text.startsWith("{") || text.startsWith("\"")) {
            return Optional.of(json(line, text, Seed.class, Json::readBounded));
        }
        Matcher cdxj = CDXJ.matcher(text);
        if (cdxj.matches()) {
            return json(line, cdxj.group(1), Capture.class, Json::read).url().filter(SeedList::ofTheWeb).map(Seed::of);
        }
        if (REMARK.matcher(text).find()) {
            throw new InvalidValueException(line.place(), text,
                    "a URL alone: a remark is a line of its own, which begins with #");
        }
        return Optional.of(Seed.of(text));
    }

    /** What a line of CDXJ says of a capture. */
    private record Capture(Optional<String> url) {}

    private static <T> T json(Line line, String text, Class<T> type, BiFunction<byte[], Class<T>, T> reader) {
        try {
            return reader.apply(text.getBytes(StandardCharsets.UTF_8), type);
        } catch (MalformedRecordException e) {
            Fault fault = e.fault().orElseGet(() -> new Fault("", text, "a seed"));
            throw new InvalidValueException(line.place() + (fault.field().isEmpty() ? "" : "." + fault.field()),
                    fault.value(), fault.rule());
        }
    }

    private static Source csv(TextLines lines, String column) throws IOException {
        if (NUMBER.matcher(column).matches()) {
            int index = Integer.parseInt(column) - 1;
            return () -> cell(lines, index);
        }
        List<String> names = row(lines, lines.next()).map(Row::fields).orElse(List.of());
        int index = names.indexOf(column);
        if (index < 0) {
            throw new InvalidValueException("column", column, "one of the first line: " + String.join(", ", names)
                    + "; or the number of one, if that line has no names");
        }
        return () -> cell(lines, index);
    }

    /** The first line and the fields of a record. */
    private record Row(String place, List<String> fields) {}

    private static Optional<ListedSeed> cell(TextLines lines, int index) throws IOException {
        for (Optional<Line> line = lines.next(); line.isPresent(); line = lines.next()) {
            if (line.get().text().isBlank()) {
                continue;
            }
            Row row = row(lines, line).orElseThrow();
            if (index >= row.fields().size()) {
                throw new InvalidValueException(row.place(), String.join(",", row.fields()),
                        "at least " + (index + 1) + " columns");
            }
            String url = row.fields().get(index).strip();
            if (!url.isEmpty()) {
                return Optional.of(ListedSeed.of(row.place(), url));
            }
        }
        return Optional.empty();
    }

    /** The record that begins at a line. Quotes are in pairs, so that it goes on while their number is odd. */
    private static Optional<Row> row(TextLines lines, Optional<Line> first) throws IOException {
        if (first.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder(first.get().text());
        long quotes = quotes(first.get().text());
        while (quotes % 2 == 1 && text.length() <= TextLines.LONGEST) {
            Optional<Line> line = lines.next();
            if (line.isEmpty()) {
                break;
            }
            text.append('\n').append(line.get().text());
            quotes += quotes(line.get().text());
        }
        try {
            return Optional.of(new Row(first.get().place(),
                    CsvReader.builder().allowUnclosedQuote(false).ofSingleCsvRecord(text.toString()).getFields()));
        } catch (CsvParseException e) {
            throw new InvalidValueException(first.get().place(), text.toString(),
                    "a record of CSV (RFC 4180): each quote that is open is closed");
        }
    }

    private static long quotes(String text) {
        return text.chars().filter(c -> c == '"').count();
    }

    static boolean ofTheWeb(String url) {
        return WEB.matcher(url).lookingAt();
    }

    /** The bytes without compression, which supports marks. */
    private static InputStream plain(InputStream in) throws IOException {
        InputStream raw = new KnownEnd(in);
        return begins(raw, GZIP) ? new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER) : raw;
    }

    private static boolean begins(InputStream in, byte[] with) throws IOException {
        in.mark(with.length);
        boolean begins = Arrays.equals(in.readNBytes(with.length), with);
        in.reset();
        return begins;
    }

    /**
     * Has bytes available until it has ended: the reader of gzip takes a stream that has none for its end, also between
     * two members that come late.
     */
    private static final class KnownEnd extends BufferedInputStream {
        KnownEnd(InputStream in) {
            super(in, BUFFER);
        }

        @Override
        public synchronized int available() throws IOException {
            mark(1);
            boolean ended = read() < 0;
            reset();
            return ended ? 0 : Math.max(1, super.available());
        }
    }
}
