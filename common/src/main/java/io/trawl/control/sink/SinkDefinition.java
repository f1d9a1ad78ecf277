package io.trawl.control.sink;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import java.util.List;
import java.util.Optional;

/**
 * A sink of a crawl: in what form its items are stored, and which of them. It is as the user wrote it; the coordinator checks it.
 *
 * @param type {@value #JSON_LINES} or {@value #CSV}
 * @param name of the sink, unique in its crawl; empty: the type
 * @param compress {@value #GZIP} or {@value #ZSTD}; empty: not compressed
 * @param types the types of items that it stores, see {@link #type(Item)}; empty: all
 * @param fields what it stores of an item, in this order; empty: all
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record SinkDefinition(@JsonProperty("type") String type, @JsonProperty("name") Optional<String> name,
        @JsonProperty("compress") Optional<String> compress, @JsonProperty("types") List<String> types,
        @JsonProperty("fields") List<String> fields) {
    /** The type of sinks whose files hold a JSON object per line. */
    public static final String JSON_LINES = "jsonl";
    /** The type of sinks whose files hold comma-separated values. */
    public static final String CSV = "csv";
    /** Compression by gzip. */
    public static final String GZIP = "gzip";
    /** Compression by Zstandard. */
    public static final String ZSTD = "zstd";
    private static final String PAGE = "page";
    private static final String ERROR = "error";
    private static final String TYPE = "type";

    /** Fills in what is absent. */
    @SuppressWarnings("ConstantValue")
    public SinkDefinition {
        type = type == null ? "" : type;
        name = name == null ? Optional.empty() : name;
        compress = compress == null ? Optional.empty() : compress;
        types = types == null ? List.of() : List.copyOf(types);
        fields = fields == null ? List.of() : List.copyOf(fields);
    }

    /** Its name, by which totals count what it has stored. */
    public String named() {
        return name.orElse(type);
    }

    /** Whether it stores an item. */
    public boolean takes(Item item) {
        return types.isEmpty() || types.contains(type(item));
    }

    /** The type of an item: {@code error}, that of its field {@code type}, or else {@code page}. */
    public static String type(Item item) {
        return item.kind() == ItemKind.ERROR ? ERROR : item.fields().get(TYPE) instanceof String named ? named : PAGE;
    }
}
