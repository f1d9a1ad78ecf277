package io.trawl.definition.sink;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A setting of a built-in sink, as {@link BuiltInSink} declares it.
 *
 * @param secret whether its value must be a reference to a secret, and nothing else
 * @param usual its value if a crawl does not name it
 * @param valid whether a value is, as text
 * @param rule for values, in words
 */
public record SinkSetting(String name, boolean required, boolean secret, Optional<String> usual,
        Predicate<String> valid, String rule) {
    /** The rule for addresses of servers. */
    static final String URL_RULE = "an absolute http or https URL without user, query and fragment, of at most 200 characters";
    private static final int LONGEST_URL = 200;

    static SinkSetting required(String name, Predicate<String> valid, String rule) {
        return new SinkSetting(name, true, false, Optional.empty(), valid, rule);
    }

    static SinkSetting optional(String name, Predicate<String> valid, String rule) {
        return new SinkSetting(name, false, false, Optional.empty(), valid, rule);
    }

    static SinkSetting secret(String name) {
        return new SinkSetting(name, false, true, Optional.empty(), _ -> true, "");
    }

    /** Whether each item is stored for itself, or the newest of each key. */
    static SinkSetting write() {
        return optional(WriteMode.WRITE, like("append|upsert"), "append or upsert").usually("append");
    }

    /** What becomes of the item of a key that is gone. */
    static SinkSetting gone() {
        return optional(WriteMode.GONE, like("mark|delete"), "mark or delete").usually("mark");
    }

    /** The same setting with a value for crawls that do not name it. */
    SinkSetting usually(String value) {
        return new SinkSetting(name, required, secret, Optional.of(value), valid, rule);
    }

    /** Whether a text is like a pattern, from its beginning to its end. */
    static Predicate<String> like(String pattern) {
        return Pattern.compile(pattern).asMatchPredicate();
    }

    /** Whether a text is the address of a server. */
    static boolean isUrl(String text) {
        try {
            URI url = new URI(text);
            return text.length() <= LONGEST_URL && text.matches("https?://.+") && url.getHost() != null
                    && url.getUserInfo() == null && url.getQuery() == null && url.getFragment() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }
}
