package io.trawl.embedded;

import java.nio.file.Path;
import java.util.Locale;

/** The configuration file of the embedded redis-server. */
final class RedisSettings {
    private RedisSettings() {}

    /**
     * Every write is on disk before it is acknowledged; nothing is ever evicted; small hashes keep the compact encoding, which makes an entry of the
     * ledger 22 bytes instead of about 100. The names with {@code ziplist} are understood by 6.2 and all later versions.
     */
    static String text(Path folder, int port) {
        return String.format(Locale.ROOT, """
                # Written at every start.
                bind 127.0.0.1
                port %d
                dir %s
                appendonly yes
                appendfsync always
                save ""
                maxmemory-policy noeviction
                hash-max-ziplist-entries 512
                hash-max-ziplist-value 64
                loglevel notice
                """, port, quoted(folder.toString()));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
