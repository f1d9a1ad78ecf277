package io.trawl.definition.sink;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A sink of a crawl: in what form its items are stored, and which of them. It is as the user wrote it; the coordinator
 * checks it.
 *
 * @param type {@value #JSON_LINES}, {@value #CSV}, {@value #PARQUET} or {@value #WARC}, that of a {@link BuiltInSink},
 * or of a sink of a plug-in
 * @param name of the sink, unique in its crawl; empty: the type
 * @param compress {@value #GZIP} or {@value #ZSTD}; empty: not compressed, or Parquet as usual
 * @param types the types of items that it stores, see {@link #type(Item)}; empty: all
 * @param fields what it stores of an item, in this order; empty: all
 * @param settings for a sink that is not files
 * @param skip whether it is given up: what it would take is counted, and it gets nothing
 * @param from {@value #CHUNKS}: it stores the chunks of these items instead; empty: the items
 * @param chunks how their texts are cut then
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record SinkDefinition(@JsonProperty("type") String type, @JsonProperty("name") Optional<String> name,
        @JsonProperty("compress") Optional<String> compress, @JsonProperty("types") List<String> types,
        @JsonProperty("fields") List<String> fields, @JsonProperty("settings") Map<String, Object> settings,
        @JsonProperty("skip") Optional<Boolean> skip, @JsonProperty("from") Optional<String> from,
        @JsonProperty("chunks") Optional<ChunkRules> chunks) {
    /** The type of sinks whose files hold a JSON object per line. */
    public static final String JSON_LINES = "jsonl";
    /** The type of sinks whose files hold comma-separated values. */
    public static final String CSV = "csv";
    /** What {@link #given} calls the fields that a sink stores. */
    public static final String FIELDS = "fields";
    /** What {@link #given} calls the compression. */
    public static final String COMPRESS = "compress";
    /** The archive, which holds what was fetched, in WARC files. */
    public static final String WARC = "warc";
    /** The type of sinks whose files are Parquet. */
    public static final String PARQUET = "parquet";
    /** Compression by gzip. */
    public static final String GZIP = "gzip";
    /** Compression by Zstandard. */
    public static final String ZSTD = "zstd";
    /** What a sink stores that stores items. */
    public static final String ITEMS = "items";
    /** What a sink stores that stores chunks. */
    public static final String CHUNKS = "chunks";
    /** The type of errors. */
    public static final String ERROR = "error";
    private static final String PAGE = "page";
    private static final String TYPE = "type";

    /** Fills in what is absent. */
    @SuppressWarnings("ConstantValue")
    public SinkDefinition {
        type = type == null ? "" : type;
        types = types == null ? List.of() : List.copyOf(types);
        fields = fields == null ? List.of() : List.copyOf(fields);
        settings = settings == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** A sink of items. */
    public SinkDefinition(String type, Optional<String> name, Optional<String> compress, List<String> types,
            List<String> fields, Map<String, Object> settings, Optional<Boolean> skip) {
        this(type, name, compress, types, fields, settings, skip, Optional.empty(), Optional.empty());
    }

    /** A sink of files with all items. */
    public static SinkDefinition files(String type, Optional<String> name, Optional<String> compress,
            List<String> fields) {
        return new SinkDefinition(type, name, compress, List.of(), fields, Map.of(), Optional.empty());
    }

    /** Whether it stores files in the output folder; others have positions of their own. */
    @JsonIgnore
    public boolean isFiles() {
        return type.equals(JSON_LINES) || type.equals(CSV) || type.equals(PARQUET) || isArchive();
    }

    /** The topic of the cluster that it is, if it is one. */
    @JsonIgnore
    public Optional<String> topic() {
        return type.equals(BuiltInSink.KAFKA.type())
                ? BuiltInSink.KAFKA.values(settings).find("topic")
                : Optional.empty();
    }

    /** What is kept of each key in the topic that it is. */
    public WriteMode writesToTopic() {
        return BuiltInSink.KAFKA.values(settings).writes();
    }

    /** The same sink, given up or not. */
    public SinkDefinition withSkip(Optional<Boolean> given) {
        return new SinkDefinition(type, name, compress, types, fields, settings, given, from, chunks);
    }

    /** What a sink is told with its items: its settings, with its fields and its compression if it has any. */
    public Map<String, Object> given() {
        Map<String, Object> given = new LinkedHashMap<>(settings);
        compress.ifPresent(word -> given.put(COMPRESS, word));
        if (!fields.isEmpty()) {
            given.put(FIELDS, fields);
        }
        return given;
    }

    /** Whether it is given up. */
    public boolean skipped() {
        return skip.orElse(false);
    }

    /** Its name, by which totals count what it has stored. */
    public String named() {
        return name.orElse(type);
    }

    /** Whether it is the archive, which stores no items. */
    @JsonIgnore
    public boolean isArchive() { return type.equals(WARC); }

    /** Whether it stores chunks of items. */
    public boolean ofChunks() {
        return from.filter(CHUNKS::equals).isPresent();
    }

    /** How it has texts cut, if it stores chunks. */
    public Optional<ChunkRules> cut() {
        return ofChunks() ? Optional.of(chunks.orElse(ChunkRules.DEFAULT)) : Optional.empty();
    }

    /** Whether it is one of Trawl's that keep the newest item of each key. */
    public boolean upserts() {
        return BuiltInSink.of(type).isPresent() && WriteMode.UPSERT.equals(settings.get(WriteMode.WRITE));
    }

    /**
     * Whether it stores an item, or the chunks of it; errors have none. That an item is gone is for what holds its
     * type.
     */
    public boolean takes(Item item) {
        if (upserts() && topic().isPresent() && item.kind() == ItemKind.ERROR && !ItemVersion.gone(item)) {
            return false; // A failure must not take the place of an item, and a topic cannot tell whether there is one.
        }
        return !isArchive() && !(ofChunks() && item.kind() == ItemKind.ERROR) && (types.isEmpty()
                || types.contains(type(item)) || upserts() && ItemVersion.gone(item) && types.contains(held(item)));
    }

    /** What it is given of an item. */
    public Item only(Item item) {
        if (fields.isEmpty()) {
            return item;
        }
        Map<String, Object> kept = new LinkedHashMap<>();
        Stream.concat(fields.stream(), upserts() ? ItemVersion.FIELDS.stream() : Stream.empty())
                .filter(item.fields()::containsKey).forEach(field -> kept.put(field, item.fields().get(field)));
        return item.withFields(kept);
    }

    /** The type of an item: {@code error}, that of its field {@code type}, or else {@code page}. */
    public static String type(Item item) {
        return item.kind() == ItemKind.ERROR ? ERROR : held(item);
    }

    /** The type of an item, or of that in whose place an error is. */
    private static String held(Item item) {
        return item.fields().get(TYPE) instanceof String named ? named : PAGE;
    }
}
