package io.trawl.http;

import io.trawl.codec.MalformedRecordException;
import io.trawl.codec.NearestName;
import io.trawl.http.RouteTable.RouteMatch;
import io.trawl.model.InvalidValueException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A call that was let in, for the handler of its route. Confined to the thread of the call. */
public final class Call {
    private final CallHead head;
    private final RouteMatch match;
    private final Caller caller;
    private final Map<String, List<String>> query;
    private final InputStream stream;
    private byte @Nullable [] body;

    /** @throws CallRefusedException 400 if the query cannot be decoded */
    Call(CallHead head, RouteMatch match, Caller caller, InputStream stream) {
        this.head = head;
        this.match = match;
        this.caller = caller;
        this.query = query(head.target());
        this.stream = stream;
    }

    private static Map<String, List<String>> query(String target) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        int start = target.indexOf('?');
        for (String part : start < 0 ? new String[0] : target.substring(start + 1).split("&")) {
            String[] pair = part.split("=", 2);
            if (!part.isEmpty()) {
                query.computeIfAbsent(decoded(pair[0]), _ -> new ArrayList<>())
                        .add(pair.length == 2 ? decoded(pair[1]) : "");
            }
        }
        return query;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new CallRefusedException(400, "the query cannot be read: " + e.getMessage());
        }
    }

    /** What it says before its body. */
    public CallHead head() {
        return head;
    }

    /** The route that answers it. */
    public Route route() {
        return match.route();
    }

    /** Who makes it. */
    public Caller caller() {
        return caller;
    }

    /** The path as sent, still encoded. */
    public String path() {
        return head.path();
    }

    /** The parameter of the path that has this name in the route. */
    public String parameter(String name) {
        return Optional.ofNullable(match.parameters().get(name))
                .orElseThrow(() -> new IllegalStateException(route().path() + " has no parameter " + name));
    }

    /** A header, by its name in any case. */
    public Optional<String> header(String name) {
        return head.header(name);
    }

    /** All parameters of the query, decoded, in the order of their first appearance. */
    public Map<String, List<String>> query() {
        return query;
    }

    /** A query parameter that is not empty. */
    public Optional<String> text(String name) {
        return Optional.ofNullable(query.get(name)).map(List::getFirst).filter(value -> !value.isEmpty());
    }

    /** Whether a query parameter is true; another value is refused by the check of the table. */
    public boolean flag(String name) {
        return text(name).filter("true"::equals).isPresent();
    }

    /** A query parameter that is a whole number. @param usual if it is not there */
    public int number(String name, int usual, int least, int most) {
        String given = text(name).orElse(Integer.toString(usual));
        if (given.matches("[0-9]{1,9}") && Integer.parseInt(given) >= least && Integer.parseInt(given) <= most) {
            return Integer.parseInt(given);
        }
        throw new InvalidValueException(name, given, least + " to " + most);
    }

    /**
     * The values of a query parameter, separated by commas.
     *
     * @throws InvalidValueException if one is none of the valid ones
     */
    public Set<String> words(String name, List<String> valid) {
        Set<String> words = text(name).<Set<String>>map(value -> new TreeSet<>(List.of(value.split(","))))
                .orElse(Set.of());
        words.stream().filter(word -> !valid.contains(word)).findFirst().ifPresent(word -> {
            throw new InvalidValueException(name, word,
                    "some of " + String.join(", ", valid) + NearestName.hint(word, valid.stream()));
        });
        return words;
    }

    /** Whether the body has one of these media types. */
    public boolean hasType(Set<String> types) {
        return types.contains(header("Content-Type").orElse("").split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
    }

    /** The body of a route that reads it piece by piece. */
    public InputStream stream() {
        return stream;
    }

    /**
     * The body as it was sent, read once and kept.
     *
     * @throws CallRefusedException 413 if it is too large, 400 if it is not the one that was signed
     * @throws MalformedRecordException if it breaks off
     */
    public byte[] body() {
        if (body != null || route().body().largest() == 0) {
            return body == null ? new byte[0] : body;
        }
        try {
            byte[] read = stream.readNBytes(route().body().largest() + 1);
            if (read.length > route().body().largest()) {
                throw tooLarge();
            }
            CallSignature.checkDigest(head, read);
            body = read;
            return read;
        } catch (IOException e) {
            throw brokenOff(e);
        }
    }

    /** A body that does not come to its end. */
    public static MalformedRecordException brokenOff(IOException e) {
        return new MalformedRecordException("the body broke off: " + e.getMessage());
    }

    /** The memory for its body. @throws CallRefusedException 413 if it says that it is larger than its route allows */
    long memory() {
        int largest = route().body().largest();
        boolean streamed = hasType(route().body().streamed());
        long length = header("Content-Length").filter(text -> text.matches("[0-9]{1,18}")).map(Long::valueOf)
                .orElse(header("Transfer-Encoding").isPresent() ? (long) largest : 0L);
        if (largest == 0) {
            return 0;
        }
        if (length > largest && !streamed) {
            throw tooLarge();
        }
        return route().body().memory(length, streamed);
    }

    /** @throws CallRefusedException 415 if the body has a media type that its route does not read */
    void checkType() {
        Set<String> types = route().body().types();
        if (!types.isEmpty() && !hasType(types) && !hasType(route().body().streamed())) {
            Set<String> all = new TreeSet<>(types);
            all.addAll(route().body().streamed());
            throw new CallRefusedException(415, "Content-Type: '" + header("Content-Type").orElse("")
                    + "' is not valid: the body is " + String.join(" or ", all));
        }
    }

    private CallRefusedException tooLarge() {
        return new CallRefusedException(413, "a body has at most " + route().body().largest() + " bytes here");
    }
}
