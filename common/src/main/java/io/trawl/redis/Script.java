package io.trawl.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The scripts that Redis runs; each is a resource beside this class, whose first lines say what goes in and out. They are called by their digest, and
 * loaded again where Redis has lost them.
 */
enum Script {
    LEARN, LOOK, AGREE, UNLINK, MARK, ANSWERED, DROP, REGISTER, UNREGISTER, MODULES, TAKE, HOLD, POSITION, DOMAINS_READ, DOMAINS_WRITE, BEGIN, WITHDRAW, END, ROBOTS_READ, ROBOTS_WRITE, LEASE_TAKE, LEASE_RENEW, LEASE_NOTE, LEASE_RELEASE, LEASES_DROP;

    private final String text;

    Script() {
        String file = word() + ".lua";
        try (InputStream in = Script.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("missing in the jar: " + file);
            }
            this.text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
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
