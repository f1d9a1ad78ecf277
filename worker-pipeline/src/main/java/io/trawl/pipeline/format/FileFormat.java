package io.trawl.pipeline.format;

import io.trawl.api.Item;
import io.trawl.control.sink.SinkDefinition;
import java.util.List;
import java.util.Optional;

/**
 * The form of the files of a sink. All lines of a file have one format.
 *
 * @param sink the name of the sink; empty for the files of a crawl that names none
 * @param ending what the names of files end with, such as {@code jsonl}, {@code csv.gz} or {@code offers.csv}
 * @param csv whether its lines are comma-separated values, else JSON objects
 * @param fields those of its lines, in their order; empty: all
 */
public record FileFormat(Optional<String> sink, String ending, boolean csv, FileCompression compression, List<String> fields) {
    /** JSON lines with all fields. */
    public static final FileFormat DEFAULT = new FileFormat(Optional.empty(), SinkDefinition.JSON_LINES, false,
            FileCompression.NONE, List.of());

    /** The format of a sink's files. Different names of sinks give different endings. */
    public static FileFormat of(SinkDefinition sink) {
        FileCompression compression = FileCompression.of(sink.compress());
        String prefix = sink.named().equals(sink.type()) ? "" : sink.named() + ".";
        return new FileFormat(Optional.of(sink.named()), prefix + sink.type() + compression.ending(),
                sink.type().equals(SinkDefinition.CSV), compression, sink.fields());
    }

    /** What a file begins with. */
    public byte[] header() {
        return csv ? CsvLine.header(fields) : new byte[0];
    }

    /** The line of an item. @throws IllegalArgumentException if a field holds a value that JSON cannot express */
    public FileLine line(Item item) {
        return new FileLine(this,
                csv ? CsvLine.of(item, fields) : fields.isEmpty() ? ItemLine.of(item) : ItemLine.of(item, fields));
    }
}
