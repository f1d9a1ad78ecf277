package io.trawl.redis;

import io.trawl.model.InvalidValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.config.BaseMasterSlaveServersConfig;
import org.redisson.config.Config;
import org.redisson.config.ReadMode;
import org.redisson.config.SubscriptionMode;

/**
 * The servers that a configuration file of Redisson names, in YAML. Replicas are never asked: they may lack what their
 * master has acknowledged, and a fact that is missing repeats work.
 */
record RedisConfigFile(Path file, String yaml) implements RedisServers {
    static final String FIELD = "TRAWL_REDIS_CONFIG_FILE";

    /** @throws InvalidValueException if the file cannot be read, or names no servers */
    static RedisConfigFile read(Path file) {
        String yaml;
        try {
            yaml = Files.readString(file);
        } catch (IOException e) {
            throw new InvalidValueException(FIELD, file.toString(), "a file that can be read: " + e);
        }
        RedisConfigFile read = new RedisConfigFile(file, yaml);
        read.config();
        return read;
    }

    @Override
    public Config config() {
        Config config = parsed();
        if (config.isSingleConfig()) {
            config.useSingleServer()
                    .setConnectionPoolSize(Math.max(CONNECTIONS, config.useSingleServer().getConnectionPoolSize()));
            return config;
        }
        BaseMasterSlaveServersConfig<?> servers = masterSlave(config);
        servers.setReadMode(ReadMode.MASTER);
        servers.setSubscriptionMode(SubscriptionMode.MASTER);
        servers.setMasterConnectionPoolSize(Math.max(CONNECTIONS, servers.getMasterConnectionPoolSize()));
        return config;
    }

    private Config parsed() {
        try {
            // The parser answers a file without content with null.
            return Optional.ofNullable(Config.fromYAML(yaml)).orElseGet(Config::new);
        } catch (RuntimeException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw refused("a configuration of Redisson in YAML: "
                    + String.valueOf(cause.getMessage()).lines().findFirst().orElse(""));
        }
    }

    /** Redisson tells the kinds by exceptions: it makes the one that is asked for if there is no other. */
    private BaseMasterSlaveServersConfig<?> masterSlave(Config config) {
        if (config.isSentinelConfig()) {
            return config.useSentinelServers();
        }
        if (config.isClusterConfig()) {
            return config.useClusterServers();
        }
        if (yaml.contains("replicatedServersConfig")) {
            return config.useReplicatedServers();
        }
        if (yaml.contains("masterSlaveServersConfig")) {
            return config.useMasterSlaveServers();
        }
        throw refused("with the servers: singleServerConfig, sentinelServersConfig, clusterServersConfig,"
                + " replicatedServersConfig or masterSlaveServersConfig");
    }

    @Override
    public List<RedisNode> masters(RedissonClient client) {
        Config config = client.getConfig();
        if (config.isSingleConfig()) {
            return List.of(client.getRedisNodes(RedisNodes.SINGLE).getInstance());
        }
        if (config.isClusterConfig()) {
            return List.copyOf(client.getRedisNodes(RedisNodes.CLUSTER).getMasters());
        }
        if (config.isSentinelConfig()) {
            return List.of(client.getRedisNodes(RedisNodes.SENTINEL_MASTER_SLAVE).getMaster());
        }
        return List.of(client.getRedisNodes(RedisNodes.MASTER_SLAVE).getMaster());
    }

    @Override
    public InvalidValueException refused(String rule) {
        return new InvalidValueException(FIELD, file.toString(), rule);
    }

    @Override
    public String toString() {
        return "the servers of " + file;
    }
}
