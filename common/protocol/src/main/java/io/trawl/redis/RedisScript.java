package io.trawl.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The scripts that Redis runs; each is a resource next to this class, whose first lines document its arguments and
 * result. All have the functions of {@code prelude.lua}: a key that holds a value of another type is removed and named,
 * and numbers that are none have defaults. All keys that a script uses are named by its caller, as some managed
 * services of Redis demand. They are called by digest, and loaded again if Redis has lost them.
 */
enum RedisScript {
    LEARN, LOOK, SPLIT, ARE_SPLIT, FORGET, COPY, OMIT, AGREE, MARK, ANSWERED, DROP, REGISTER, UNREGISTER, UNENDED, MODULES, CLOCK, TAKE, HOLD, POSITION, DOMAINS_READ, DOMAINS_WRITE, DOMAINS_ADD, BEGIN, WITHDRAW, END, ROBOTS_READ, ROBOTS_WRITE, LEASE_TAKE, LEASE_RENEW, LEASE_NOTE, LEASE_RELEASE, LEASES, INCREMENT, NUMBER_READ, NUMBER_WRITE, BUDGET_TAKE, BUDGET_FAILED, PERMITS_TAKE, PERMITS_RETURN, PERMITS_SPEND, PERMITS_HOLDERS, PERMITS_SETTLE, NOTE, NOTES, FIRST_ITEMS, RELEASED_PAGES, SIMILAR_ITEMS, INHERIT, SESSION_FIND, SESSION_KEEP;

    private final String text;

    RedisScript() {
        this.text = source("prelude.lua") + source(word() + ".lua");
    }

    private static String source(String file) {
        try (InputStream in = RedisScript.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("missing in the jar: " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The source. */
    String text() {
        return text;
    }

    /** The name, for messages. */
    final String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
