package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.regex.Pattern;

/**
 * The name of a crawl: 1 to 64 characters of {@code a-z 0-9 . _ -}, the first a letter or digit. It is used as a record
 * key, in Redis keys and as a folder name, hence the narrow alphabet.
 */
public record CrawlId(@JsonValue String value) implements Comparable<CrawlId> {
    private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

    /** @throws InvalidValueException if the value is not of that form */
    @JsonCreator
    public CrawlId {
        if (!FORM.matcher(value).matches()) {
            throw new InvalidValueException("crawl", value,
                    "1 to 64 characters of a-z 0-9 . _ -, the first a letter or digit");
        }
    }

    @Override
    public int compareTo(CrawlId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
