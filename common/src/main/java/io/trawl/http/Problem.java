package io.trawl.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.model.InvalidValueException.Fault;
import java.util.List;
import java.util.Optional;

/**
 * What went wrong, for programs and people (RFC 9457).
 *
 * @param type names the kind of problem: {@code urn:trawl:problem:} and a word that never changes
 * @param title the kind in words
 * @param status the HTTP status
 * @param detail this case in words
 * @param instance the path that was asked for
 * @param faults what is wrong with each field, if fields are wrong
 * @param more how many further faults there are, if not all are listed
 * @param taken how many seeds of a stream are taken for good, from the first on, if it was one
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Problem(String type, String title, int status, String detail, String instance, List<Fault> faults,
        Optional<Long> more, Optional<Long> taken) {
    /** What problem documents are sent as. */
    public static final String CONTENT_TYPE = "application/problem+json";

    /** A problem without faults of fields. */
    public static Problem of(String word, String title, int status, String detail, String instance) {
        return of(word, title, status, detail, instance, List.of());
    }

    /** A problem with faults of fields. */
    public static Problem of(String word, String title, int status, String detail, String instance,
            List<Fault> faults) {
        return new Problem("urn:trawl:problem:" + word, title, status, detail, instance, faults, Optional.empty(),
                Optional.empty());
    }

    /** The same with further faults. */
    public Problem withMore(long further) {
        return new Problem(type, title, status, detail, instance, faults,
                Optional.of(further).filter(number -> number > 0), taken);
    }

    /** The same, after some seeds of a stream were taken. */
    public Problem after(long seeds) {
        return new Problem(type, title, status, detail, instance, faults, more, Optional.of(seeds));
    }
}
