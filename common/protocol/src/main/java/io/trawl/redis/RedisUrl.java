package io.trawl.redis;

import io.trawl.model.InvalidValueException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.redisson.config.EqualJitterDelay;

/**
 * The address of Redis: {@code redis://[user:password@]host[:port][/database]}, or {@code rediss://} for TLS. Special
 * characters of the user and the password are percent-encoded. The password never appears in {@link #toString()} or in
 * a message.
 */
record RedisUrl(boolean tls, String host, int port, Optional<String> user, Optional<String> password,
        int database) implements RedisServers {
    static final String FIELD = "TRAWL_REDIS_URL";
    private static final int DEFAULT_PORT = 6379;
    private static final String FORM = "redis://[user:password@]host:port[/database], or rediss:// for TLS";

    /** @throws InvalidValueException if the text is not of that form; its message hides the password */
    static RedisUrl parse(String text) {
        try {
            URI uri = new URI(text.strip());
            boolean tls = "rediss".equals(uri.getScheme());
            if (uri.getHost() == null || !(tls || "redis".equals(uri.getScheme()))) {
                throw invalid(text);
            }
            Optional<String> secret = Optional.ofNullable(uri.getRawUserInfo());
            Optional<String> user = secret.filter(s -> s.indexOf(':') > 0)
                    .map(s -> decoded(s.substring(0, s.indexOf(':'))));
            Optional<String> password = secret.map(s -> decoded(s.substring(s.indexOf(':') + 1)))
                    .filter(s -> !s.isEmpty());
            return new RedisUrl(tls, uri.getHost(), uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(), user, password,
                    database(uri, text));
        } catch (URISyntaxException | IllegalArgumentException e) {
            throw invalid(text);
        }
    }

    private static int database(URI uri, String text) {
        String path = uri.getPath() == null ? "" : uri.getPath().replaceFirst("^/", "");
        if (!path.matches("[0-9]{0,5}")) {
            throw invalid(text);
        }
        return path.isEmpty() ? 0 : Integer.parseInt(path);
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static InvalidValueException invalid(String text) {
        return new InvalidValueException(FIELD, text.replaceFirst("//.*@", "//***@"), FORM);
    }

    /** The form that the client library expects: scheme, host and port. */
    String address() {
        return (tls ? "rediss://" : "redis://") + host + ":" + port;
    }

    @Override
    public Config config() {
        Config config = new Config();
        user.ifPresent(config::setUsername);
        password.ifPresent(config::setPassword);
        config.useSingleServer().setAddress(address()).setDatabase(database).setClientName("trawl")
                .setConnectionPoolSize(CONNECTIONS).setConnectionMinimumIdleSize(1).setSubscriptionConnectionPoolSize(1)
                .setSubscriptionConnectionMinimumIdleSize(0).setConnectTimeout(3000).setTimeout(3000)
                .setRetryAttempts(2).setRetryDelay(new ConstantDelay(Duration.ofMillis(200)))
                .setReconnectionDelay(new EqualJitterDelay(Duration.ofMillis(50), Duration.ofSeconds(1)))
                .setPingConnectionInterval(10_000);
        return config;
    }

    @Override
    public List<RedisNode> masters(RedissonClient client) {
        return List.of(client.getRedisNodes(RedisNodes.SINGLE).getInstance());
    }

    @Override
    public InvalidValueException refused(String rule) {
        return new InvalidValueException(FIELD, toString(), rule);
    }

    @Override
    public String toString() {
        return address() + (database == 0 ? "" : "/" + database);
    }
}
