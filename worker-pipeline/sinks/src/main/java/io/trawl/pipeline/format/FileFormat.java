package io.trawl.pipeline.format;

import io.trawl.api.Item;
import io.trawl.definition.sink.SinkDefinition;
import java.util.Arrays;
import io.trawl.extract.rule.ItemRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The form of the files of a sink. All lines of a file have one format.
 *
 * @param sink the name of the sink; empty for the files of a crawl that names none
 * @param ending what the names of files end with, such as {@code jsonl}, {@code csv.gz} or {@code offers.parquet}
 * @param type that of the sink
 * @param compression of the whole file, or of the pages of a Parquet file
 * @param fields those of its lines, in their order; empty: all
 * @param columns of a Parquet file; else none
 * @param chunks whether its lines are chunks of items
 */
public record FileFormat(Optional<String> sink, String ending, String type, FileCompression compression,
        List<String> fields, List<ItemColumn> columns, boolean chunks) {
    /** JSON lines with all fields. */
    public static final FileFormat DEFAULT = new FileFormat(Optional.empty(), SinkDefinition.JSON_LINES,
            SinkDefinition.JSON_LINES, FileCompression.NONE, List.of(), List.of(), false);

    /** The archive of a run. */
    public static final FileFormat ARCHIVE = of(SinkDefinition.WARC + ".gz");
    /** The index beside it. */
    public static final FileFormat ARCHIVE_INDEX = of("cdxj");

    /** Whether a file belongs to an archive, which holds no items. */
    public static boolean ofArchive(String name) {
        return Stream.of(ARCHIVE, ARCHIVE_INDEX).anyMatch(format -> name.endsWith("." + format.ending()));
    }

    private static FileFormat of(String ending) {
        return new FileFormat(Optional.of(SinkDefinition.WARC), ending, SinkDefinition.WARC, FileCompression.NONE,
                List.of(), List.of(), false);
    }

    /**
     * The format of a sink's files. Different names of sinks give different endings. @param rules the rules for items
     * of the crawl
     */
    public static FileFormat of(SinkDefinition sink, List<ItemRule> rules) {
        boolean parquet = sink.type().equals(SinkDefinition.PARQUET);
        FileCompression compression = FileCompression.of(sink.compress());
        String prefix = sink.named().equals(sink.type()) ? "" : sink.named() + ".";
        return new FileFormat(Optional.of(sink.named()), prefix + sink.type() + (parquet ? "" : compression.ending()),
                sink.type(), compression, sink.fields(), parquet ? SinkColumns.of(sink, rules) : List.of(),
                sink.ofChunks());
    }

    /** Whether its files are Parquet, which are written with their end only when they are closed. */
    public boolean parquet() {
        return type.equals(SinkDefinition.PARQUET);
    }

    /** What a file begins with. */
    public byte[] header() {
        return type.equals(SinkDefinition.CSV) ? CsvLine.header(fields) : new byte[0];
    }

    /**
     * An item as one JSON object without a line feed. @throws IllegalArgumentException if a field holds a value that
     * JSON cannot express
     */
    public static byte[] object(Item item, List<String> fields) {
        byte[] line = fields.isEmpty() ? ItemLine.of(item) : ItemLine.of(item, fields);
        return Arrays.copyOf(line, line.length - 1);
    }

    /** The line of an item. @throws IllegalArgumentException if a field holds a value that JSON cannot express */
    public FileLine line(Item item) {
        return switch (type) {
            case SinkDefinition.PARQUET -> new FileLine(this, cells(item));
            case SinkDefinition.CSV -> new FileLine(this, CsvLine.of(item, fields));
            default -> new FileLine(this, fields.isEmpty() ? ItemLine.of(item) : ItemLine.of(item, fields));
        };
    }

    private List<Optional<Object>> cells(Item item) {
        List<Optional<Object>> cells = columns.stream().map(column -> column.cell(item)).collect(Collectors.toList());
        if (!columns.isEmpty() && fields.isEmpty() && !chunks) {
            Map<String, Object> other = new LinkedHashMap<>(item.fields());
            IntStream.range(0, columns.size() - 1).filter(i -> cells.get(i).isPresent())
                    .forEach(i -> other.remove(columns.get(i).name()));
            cells.set(cells.size() - 1, other.isEmpty() ? Optional.empty() : Optional.of(ItemLine.json(other)));
        }
        return cells;
    }
}
