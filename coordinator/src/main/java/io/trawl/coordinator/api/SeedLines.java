package io.trawl.coordinator.api;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.Seed;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Seeds as lines of JSON (JSON Lines, also called NDJSON), read piece by piece, so that any number of them needs little
 * memory. Empty lines are passed over. Not thread-safe.
 */
final class SeedLines {
    /** What such a body is sent as. */
    static final Set<String> TYPES = Set.of("application/jsonl", "application/x-ndjson");
    private static final int PIECE = 1000;
    private static final int PIECE_BYTES = 1 << 20;
    private static final int LONGEST = 128 * 1024;
    private final InputStream in;
    private long line;
    private Optional<RuntimeException> trouble = Optional.empty();

    /**
     * Some seeds.
     *
     * @param lines the number of each one's line, from 1
     */
    record Piece(List<Seed> seeds, List<Long> lines) {
        /** The same faults, naming lines instead of places in the piece. */
        InvalidDefinitionException named(InvalidDefinitionException faults) {
            return faults.named(f -> new Fault(field(f.field()), f.value(), f.rule()));
        }

        private String field(String field) {
            int end = field.indexOf(']');
            return field.startsWith("seeds[") && end > 0
                    ? "line " + lines.get(Integer.parseInt(field.substring("seeds[".length(), end)))
                            + field.substring(end + 1)
                    : field;
        }
    }

    SeedLines(InputStream in) {
        this.in = new BufferedInputStream(in, 1 << 16);
    }

    /**
     * The next seeds; none at the end.
     *
     * @throws MalformedRecordException for a line that is no seed; all before it have been given out
     * @throws InvalidDefinitionException for one that is too long, the same way
     */
    Piece next() throws IOException {
        trouble.ifPresent(t -> {
            throw t;
        });
        Piece piece = new Piece(new ArrayList<>(), new ArrayList<>());
        long size = 0;
        while (piece.seeds().size() < PIECE && size < PIECE_BYTES && trouble.isEmpty()) {
            Optional<byte[]> bytes = read();
            if (bytes.isEmpty()) {
                break;
            }
            size += bytes.get().length;
            add(piece, bytes.get());
        }
        if (piece.seeds().isEmpty() && trouble.isPresent()) {
            throw trouble.get();
        }
        return piece;
    }

    private void add(Piece piece, byte[] bytes) {
        line++;
        if (bytes.length > LONGEST) {
            trouble = Optional.of(new InvalidDefinitionException(List.of(
                    new Fault("line " + line, "more than " + LONGEST + " bytes", "at most " + LONGEST + " bytes")), 0));
            return;
        }
        if (blank(bytes)) {
            return;
        }
        try {
            piece.seeds().add(Json.readBounded(bytes, Seed.class));
            piece.lines().add(line);
        } catch (MalformedRecordException e) {
            trouble = Optional.of(e.fault().map(f -> new MalformedRecordException(
                    f.of("line " + line + (f.field().isEmpty() ? "" : "." + f.field())))).orElse(e));
        }
    }

    private static boolean blank(byte[] bytes) {
        for (byte b : bytes) {
            if (b != ' ' && b != '\t' && b != '\r') {
                return false;
            }
        }
        return true;
    }

    /** The next line without its end, cut soon after it has become too long; empty at the end of all. */
    private Optional<byte[]> read() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        int b;
        while ((b = in.read()) >= 0 && b != '\n' && bytes.size() <= LONGEST) {
            bytes.write(b);
        }
        return b < 0 && bytes.size() == 0 ? Optional.empty() : Optional.of(bytes.toByteArray());
    }
}
