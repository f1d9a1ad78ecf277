package io.trawl.standalone.client;

import io.trawl.definition.Hidden;
import io.trawl.definition.Webhook;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.InvalidValueException;
import io.trawl.model.ModuleKind;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisModuleStore;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.standalone.client.Api.Server;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Finds coordinators: the given one; else, unless the environment names a Redis or a namespace, that of
 * {@code trawl up} in this folder, the local one at its default port, and those of {@code trawl crawl} in this folder;
 * else those in the registrar. The registrar is read only if needed, because connecting to Redis is the slowest part of
 * a command.
 */
public final class CoordinatorDiscovery {
    /** The default address of a coordinator. */
    static final URI DEFAULT = URI.create("http://127.0.0.1:8080");
    private static final List<String> ELSEWHERE = List.of("TRAWL_REDIS_URL", "TRAWL_REDIS_CONFIG_FILE",
            "TRAWL_NAMESPACE");

    private CoordinatorDiscovery() {}

    /**
     * The candidates in order of preference; at least one.
     *
     * @param named the user's choice, if there is one
     * @param token the user's token, if there is one
     * @param environment the environment variables
     * @throws InvalidValueException if that is not a valid address
     */
    public static Iterator<Server> candidates(Optional<String> named, Optional<String> token,
            Map<String, String> environment) {
        return candidates(named, token, environment, Path.of(".trawl"), CoordinatorDiscovery::registered);
    }

    /** The same with the given data folder and registrar. */
    static Iterator<Server> candidates(Optional<String> named, Optional<String> token, Map<String, String> environment,
            Path data, Supplier<List<URI>> registrar) {
        if (named.isPresent()) {
            return List.of(Server.named(address(named.get()), token)).iterator();
        }
        Stream<Supplier<List<Server>>> here = ELSEWHERE.stream().anyMatch(environment::containsKey)
                ? Stream.empty()
                : Stream.of(() -> running(List.of(data.resolve("up")), token),
                        () -> List.of(Server.named(DEFAULT, token)),
                        () -> running(folders(data.resolve("crawls")), token));
        Stream<Supplier<List<Server>>> registered = Stream
                .of(() -> registrar.get().stream().map(base -> Server.found(base, token)).toList());
        // A stream's flatMap is lazy in iterator(): the registrar is read only after all other addresses have failed.
        return Stream.concat(here, registered).flatMap(source -> source.get().stream()).iterator();
    }

    private static List<Server> running(List<Path> folders, Optional<String> token) {
        return folders.stream().map(folder -> new AccessFiles(folder).server(token)).flatMap(Optional::stream).toList();
    }

    private static List<Path> folders(Path folder) {
        try (Stream<Path> found = Files.list(folder)) {
            return found.sorted().toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** @throws CoordinatorUnavailableException if no coordinator is registered, or Redis does not answer */
    private static List<URI> registered() {
        Settings settings = SettingsReader.fromEnvironment();
        RedisServers servers = RedisServers.of(settings.redis());
        try (RedisModuleStore redis = RedisModuleStore.connect(servers, settings.namespace(), Time.system())) {
            List<URI> all = redis.registrar().all(ModuleKind.COORDINATOR).stream()
                    .map(c -> URI.create("http://" + c.mid().address())).toList();
            if (all.isEmpty()) {
                throw new CoordinatorUnavailableException("no coordinator is registered in the Redis at " + servers
                        + "; is one running? Name it with --coordinator or TRAWL_COORDINATOR");
            }
            return all;
        } catch (LedgerUnavailableException e) {
            throw new CoordinatorUnavailableException("no coordinator is named, and Redis does not answer at " + servers
                    + ": start one with trawl up, name one with --coordinator or TRAWL_COORDINATOR, or set"
                    + " TRAWL_REDIS_URL");
        }
    }

    private static URI address(String text) {
        try {
            URI base = URI.create(text);
            if (base.getHost() != null && base.getUserInfo() == null && Webhook.port(base)
                    && ("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
                return base;
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw new InvalidValueException("--coordinator", Hidden.userInfo(text),
                "an http or https URL such as http://127.0.0.1:8080");
    }
}
