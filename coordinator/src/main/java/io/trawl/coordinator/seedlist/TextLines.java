package io.trawl.coordinator.seedlist;

import io.trawl.model.InvalidValueException;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.ZipException;

/**
 * The lines of a text in UTF-8, or in UTF-16 if a byte order mark says so. A line ends with LF, CR or both. No byte is
 * replaced: one that the encoding does not have is the fault of its line. Keeps one line. Not thread-safe.
 */
final class TextLines {
    /** The most bytes of a line. */
    static final int LONGEST = 128 * 1024;
    private static final String ENCODING = "UTF-8, or UTF-16 with a byte order mark";
    private static final byte[] UTF_8_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final byte[] BIG_ENDIAN_MARK = {(byte) 0xFE, (byte) 0xFF};
    private static final byte[] LITTLE_ENDIAN_MARK = {(byte) 0xFF, (byte) 0xFE};
    private final InputStream in;
    private final Charset charset;
    private long line;
    private boolean afterReturn;
    private boolean over;

    /** A line with its number, from 1. */
    record Line(long number, String text) {
        /** How people call its place. */
        String place() {
            return TextLines.place(number);
        }
    }

    /** @param in supports marks */
    TextLines(InputStream in) throws IOException {
        this.in = in;
        if (begins(BIG_ENDIAN_MARK)) {
            this.charset = StandardCharsets.UTF_16BE;
        } else if (begins(LITTLE_ENDIAN_MARK)) {
            this.charset = StandardCharsets.UTF_16LE;
        } else {
            begins(UTF_8_MARK);
            this.charset = StandardCharsets.UTF_8;
        }
    }

    private static String place(long number) {
        return "line " + number;
    }

    /** Passes over the mark if the text begins with it. */
    private boolean begins(byte[] mark) throws IOException {
        in.mark(mark.length);
        if (Arrays.equals(in.readNBytes(mark.length), mark)) {
            return true;
        }
        in.reset();
        return false;
    }

    /**
     * The next line; empty at the end.
     *
     * @throws InvalidValueException if it cannot be decoded or is too long; the next call goes on behind it
     */
    Optional<Line> next() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
        try {
            int unit = read(bytes, 0);
            if (afterReturn && unit == '\n') {
                bytes.reset();
                unit = read(bytes, 0);
            }
            if (unit < 0 && bytes.size() == 0) {
                return Optional.empty();
            }
            line++;
            int end = 0;
            while (unit >= 0 && unit != '\n' && unit != '\r') {
                end = bytes.size();
                unit = read(bytes, end);
            }
            afterReturn = unit == '\r';
            return Optional.of(new Line(line, decoded(bytes.toByteArray(), unit < 0 ? bytes.size() : end)));
        } catch (EOFException | ZipException e) {
            over = true;
            throw new InvalidValueException(place(line + 1), "", "gzip that is complete (" + e.getMessage() + ")");
        }
    }

    /** Adds the next code unit, unless the line is too long already. @return -1 at the end of the text */
    private int read(ByteArrayOutputStream bytes, int size) throws IOException {
        int first = over ? -1 : in.read();
        if (first < 0) {
            return -1;
        }
        add(bytes, size, first);
        if (charset == StandardCharsets.UTF_8) {
            return first;
        }
        int second = in.read();
        if (second < 0) {
            return -1;
        }
        add(bytes, size, second);
        return charset == StandardCharsets.UTF_16BE ? first << 8 | second : second << 8 | first;
    }

    private static void add(ByteArrayOutputStream bytes, int size, int b) {
        if (size <= LONGEST) {
            bytes.write(b);
        }
    }

    private String decoded(byte[] bytes, int length) {
        if (length > LONGEST) {
            throw new InvalidValueException(place(line), "more than " + LONGEST + " bytes",
                    "at most " + LONGEST + " bytes");
        }
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
        } catch (CharacterCodingException e) {
            throw new InvalidValueException(place(line), shown(bytes, length), ENCODING);
        }
    }

    /** The text with each byte beyond ASCII as its number. */
    private static String shown(byte[] bytes, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            if (bytes[i] >= ' ') {
                text.append((char) bytes[i]);
            } else {
                text.append("\\x").append(HexFormat.of().toHexDigits(bytes[i]));
            }
        }
        return text.toString();
    }
}
