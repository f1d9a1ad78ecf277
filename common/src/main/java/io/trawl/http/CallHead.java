package io.trawl.http;

import java.util.Optional;
import java.util.function.Function;

/**
 * What a call says before its body.
 *
 * @param method as sent
 * @param target path and query as sent, still encoded
 * @param header gives a header of the call, by its name in any case
 */
public record CallHead(String method, String target, Function<String, Optional<String>> header) {
    /** Whether the call only looks at something. */
    public boolean looks() {
        return method.equals("GET") || method.equals("HEAD");
    }

    /** The path as sent, still encoded. */
    String path() {
        return target.split("\\?", 2)[0];
    }

    /** The header of that name. */
    Optional<String> header(String name) {
        return header.apply(name);
    }
}
