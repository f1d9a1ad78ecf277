package io.trawl.redis;

import io.trawl.model.InvalidValueException;
import io.trawl.settings.Settings.RedisSettings;
import java.util.List;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.config.Config;

/**
 * The Redis of a deployment: one server by its URL, or the servers of a configuration file of Redisson (one server,
 * Sentinel, Cluster, replicated). {@link #toString()} and messages never show a password.
 */
public sealed interface RedisServers permits RedisUrl, RedisConfigFile {
    /** Calls that a process has in flight at most; each takes a connection to a master. */
    int CONNECTIONS = 16;
    /** Into how many slots of a Cluster the facts of a run are spread. */
    int MOST_TAGS = 64;

    /**
     * What the settings name: the file, if there is one, else the URL.
     *
     * @throws InvalidValueException if the file cannot be read, or the file or the URL is not valid
     */
    static RedisServers of(RedisSettings settings) {
        return settings.configFile().<RedisServers>map(RedisConfigFile::read).orElseGet(() -> at(settings.url()));
    }

    /**
     * One server.
     *
     * @param url {@code redis://[user:password@]host:port[/database]}, or {@code rediss://} for TLS
     * @throws InvalidValueException if the URL is not of that form
     */
    static RedisServers at(String url) {
        return RedisUrl.parse(url);
    }

    /** What the client library is told about servers and users; the caller may change it. */
    Config config();

    /** The servers that take writes now, as far as the client knows them. */
    List<RedisNode> masters(RedissonClient client);

    /** Into how many parts the facts of a run are spread: more than one if there are several masters. */
    default int tags() {
        return config().isClusterConfig() ? MOST_TAGS : 1;
    }

    /** The error of a user who named these servers. */
    InvalidValueException refused(String rule);
}
