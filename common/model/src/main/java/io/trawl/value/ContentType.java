package io.trawl.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The media type that the header {@code Content-Type} declares: of several values the last valid one (Fetch Standard,
 * "extract a MIME type").
 *
 * @param essence type and subtype in lower case, for example {@code text/html}
 * @param value the whole value, with the charset of the value before it if that has the same essence and only it names
 * one
 */
public record ContentType(String essence, String value) {
    private static final String TOKEN = "!#$%&'*+-.^_`|~";
    private static final String CHARSET = "charset=";
    private static final Set<String> UNKNOWN = Set.of("unknown/unknown", "application/unknown");

    /**
     * What the header declares.
     *
     * @param header its value, several of them joined by commas; may be empty
     * @return empty if it has no valid type, or one of those that mean that the server does not know it
     */
    public static Optional<ContentType> of(String header) {
        Optional<ContentType> found = Optional.empty();
        for (String value : values(header)) {
            String essence = value.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
            if (valid(essence) && !essence.equals("*/*")) {
                Optional<String> charset = found.filter(earlier -> earlier.essence.equals(essence))
                        .flatMap(ContentType::charset);
                ContentType type = new ContentType(essence, value);
                found = Optional.of(charset.filter(_ -> type.charset().isEmpty())
                        .map(kept -> new ContentType(essence, value + ";" + kept)).orElse(type));
            }
        }
        return found.filter(type -> !UNKNOWN.contains(type.essence));
    }

    private static List<String> values(String header) {
        if (header.indexOf(',') < 0) {
            return List.of(header);
        }
        List<String> values = new ArrayList<>();
        boolean quoted = false;
        int from = 0;
        for (int i = 0; i < header.length(); i++) {
            char c = header.charAt(i);
            if (c == '\\' && quoted) {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                values.add(header.substring(from, i));
                from = i + 1;
            }
        }
        values.add(header.substring(from));
        return values;
    }

    private static boolean valid(String essence) {
        int slash = essence.indexOf('/');
        return slash > 0 && slash < essence.length() - 1
                && essence.chars().filter(c -> !isToken(c)).limit(2).count() == 1;
    }

    private static boolean isToken(int c) {
        return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || TOKEN.indexOf(c) >= 0;
    }

    /** The parameter, as it stands there. */
    private Optional<String> charset() {
        int at = value.toLowerCase(Locale.ROOT).indexOf(CHARSET, essence.length());
        return at < 0 ? Optional.empty() : Optional.of(value.substring(at).split(";", 2)[0]);
    }
}
