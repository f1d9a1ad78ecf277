package io.trawl.charset;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The charsets that pages declare, as browsers read them: those of the WHATWG Encoding standard by all its labels, with
 * its tables. Where the charset of the JDK reads every sequence as the standard does, it is that one. Pure functions.
 */
public final class WebCharset {
    private static final Map<String, Charset> BY_LABEL = labels();
    /** The charset that browsers use for Latin-1 and ASCII. */
    public static final Charset WINDOWS_1252 = named("windows-1252");
    /** Bytes of a font of the page, which only a header can declare. */
    public static final Charset USER_DEFINED = named("x-user-defined");

    private WebCharset() {}

    private static Charset named(String label) {
        return Objects.requireNonNull(BY_LABEL.get(label), label);
    }

    /** The charset of a label in any case; of one that the standard does not have, that of the JDK, if it has it. */
    public static Optional<Charset> forLabel(String label) {
        String name = label.strip().toLowerCase(Locale.ROOT);
        Charset known = BY_LABEL.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        try {
            return Optional.of(Charset.forName(name));
        } catch (IllegalArgumentException e) {
            // Unknown: the same as no declaration.
            return Optional.empty();
        }
    }

    /** The charset in which a page in this one sends queries (URL standard): UTF-8 for those that have no encoder. */
    public static Charset output(Charset charset) {
        return charset.canEncode() && !charset.name().startsWith("UTF-") ? charset : UTF_8;
    }

    private static Map<String, Charset> labels() {
        Map<String, Charset> labels = new HashMap<>();
        try (InputStream file = WebCharset.class.getResourceAsStream("labels.txt");
                BufferedReader lines = new BufferedReader(new InputStreamReader(Objects.requireNonNull(file), UTF_8))) {
            lines.lines().forEach(line -> {
                String[] parts = line.split("\t");
                Charset charset = charset(parts[0]);
                for (String label : parts[1].split(" ")) {
                    labels.put(label, charset);
                }
            });
            return Map.copyOf(labels);
        } catch (IOException e) {
            throw new UncheckedIOException("the labels of encodings are in the jar", e);
        }
    }

    private static Charset charset(String name) {
        return switch (name) {
            case "UTF-8" -> UTF_8;
            case "UTF-16BE" -> UTF_16BE;
            case "UTF-16LE" -> UTF_16LE;
            case "Big5" -> new SequenceCharset(name, EastAsian.Big5::new);
            case "EUC-JP" -> new SequenceCharset(name, EastAsian.EucJp::new);
            case "EUC-KR" -> new SequenceCharset(name, EastAsian.EucKr::new);
            case "Shift_JIS" -> new SequenceCharset(name, EastAsian.ShiftJis::new);
            case "GBK" -> new SequenceCharset(name, () -> new EastAsian.Gb18030(true));
            case "gb18030" -> new SequenceCharset(name, () -> new EastAsian.Gb18030(false));
            case "ISO-2022-JP" -> Charset.forName("x-windows-iso2022jp");
            case "ISO-8859-8-I" -> Charset.forName("ISO-8859-8");
            case "macintosh" -> Charset.forName("x-MacRoman");
            case "IBM866", "ISO-8859-2", "ISO-8859-3", "ISO-8859-4", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7",
                    "ISO-8859-8", "ISO-8859-13", "ISO-8859-15", "ISO-8859-16", "KOI8-R", "windows-1256" ->
                Charset.forName(name);
            case "x-user-defined" -> new SequenceCharset(name, UserDefined::new);
            case "replacement" -> new ReplacementCharset();
            default -> new SequenceCharset(name, () -> new SingleByte(EncodingIndex.of(name.toLowerCase(Locale.ROOT))));
        };
    }

    private record UserDefined() implements ByteSequences {
        private static final int FIRST = 0xF780;

        @Override
        public long read(ByteBuffer in, int index) {
            return ByteSequences.sequence(1, FIRST - 0x80 + (in.get(index) & 0xFF));
        }

        @Override
        public long write(int codePoint) {
            return codePoint >= FIRST && codePoint < FIRST + 0x80 ? codePoint - FIRST + 0x80 : -1;
        }
    }
}
