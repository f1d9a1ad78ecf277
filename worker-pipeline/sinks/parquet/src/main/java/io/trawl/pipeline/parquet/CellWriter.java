package io.trawl.pipeline.parquet;

import static java.util.Objects.requireNonNull;

import io.trawl.pipeline.format.FileLine;
import io.trawl.pipeline.format.ItemColumn;
import java.util.List;
import java.util.Map;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** Gives the cells of items to the columns of a Parquet file. Every cell may be empty. */
final class CellWriter extends WriteSupport<FileLine> {
    private static final String LIST = "list";
    private static final String ELEMENT = "element";
    private final List<ItemColumn> columns;
    private @Nullable RecordConsumer opened;

    CellWriter(List<ItemColumn> columns) {
        this.columns = columns;
    }

    @Override
    public WriteContext init(ParquetConfiguration configuration) {
        return new WriteContext(new MessageType("item", columns.stream().map(CellWriter::type).toList()), Map.of());
    }

    @Override
    @Deprecated
    public WriteContext init(org.apache.hadoop.conf.Configuration configuration) {
        return init(new org.apache.parquet.conf.PlainParquetConfiguration());
    }

    private static Type type(ItemColumn column) {
        return switch (column.type()) {
            case TEXT ->
                Types.optional(PrimitiveTypeName.BINARY).as(LogicalTypeAnnotation.stringType()).named(column.name());
            case INTEGER -> Types.optional(PrimitiveTypeName.INT64).named(column.name());
            case NUMBER -> Types.optional(PrimitiveTypeName.DOUBLE).named(column.name());
            case FLAG -> Types.optional(PrimitiveTypeName.BOOLEAN).named(column.name());
            case TIME -> Types.optional(PrimitiveTypeName.INT64)
                    .as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MILLIS)).named(column.name());
            case TEXTS -> Types.optionalList().element(Types.primitive(PrimitiveTypeName.BINARY, Repetition.OPTIONAL)
                    .as(LogicalTypeAnnotation.stringType()).named(ELEMENT)).named(column.name());
            case JSON ->
                Types.optional(PrimitiveTypeName.BINARY).as(LogicalTypeAnnotation.jsonType()).named(column.name());
        };
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
        opened = recordConsumer;
    }

    @Override
    public void write(FileLine line) {
        RecordConsumer consumer = requireNonNull(opened);
        consumer.startMessage();
        for (int i = 0; i < columns.size(); i++) {
            String column = columns.get(i).name();
            int place = i;
            line.cells().get(i).ifPresent(cell -> {
                consumer.startField(column, place);
                add(consumer, cell);
                consumer.endField(column, place);
            });
        }
        consumer.endMessage();
    }

    private static void add(RecordConsumer consumer, Object cell) {
        switch (cell) {
            case String text -> consumer.addBinary(Binary.fromString(text));
            case Long integer -> consumer.addLong(integer);
            case Double number -> consumer.addDouble(number);
            case Boolean flag -> consumer.addBoolean(flag);
            case List<?> list -> list(consumer, list);
            default -> throw new IllegalArgumentException("no cell: " + cell.getClass());
        }
    }

    private static void list(RecordConsumer consumer, List<?> list) {
        consumer.startGroup();
        if (!list.isEmpty()) {
            consumer.startField(LIST, 0);
            list.forEach(element -> {
                consumer.startGroup();
                consumer.startField(ELEMENT, 0);
                consumer.addBinary(Binary.fromString((String) element));
                consumer.endField(ELEMENT, 0);
                consumer.endGroup();
            });
            consumer.endField(LIST, 0);
        }
        consumer.endGroup();
    }
}
