package io.trawl.pipeline.format;

import java.util.List;
import java.util.Optional;

/**
 * An item in the form of one file.
 *
 * @param bytes with the line feed; none if the file has columns with types
 * @param cells of these columns, see {@link ItemColumn}; else none
 * @param size in bytes, about what it takes before compression
 */
public record FileLine(FileFormat format, byte[] bytes, List<Optional<Object>> cells, int size) {
    /** Bytes. */
    public FileLine(FileFormat format, byte[] bytes) {
        this(format, bytes, List.of(), bytes.length);
    }

    FileLine(FileFormat format, List<Optional<Object>> cells) {
        this(format, new byte[0], cells, cells.stream().mapToInt(cell -> cell.map(FileLine::size).orElse(1)).sum());
    }

    private static int size(Object cell) {
        return switch (cell) {
            case String text -> text.length();
            case List<?> list -> list.stream().mapToInt(FileLine::size).sum();
            default -> Long.BYTES;
        };
    }
}
