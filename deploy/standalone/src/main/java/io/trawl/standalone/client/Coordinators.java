package io.trawl.standalone.client;

import io.trawl.ledger.LedgerUnavailable;
import io.trawl.model.InvalidValue;
import io.trawl.model.ModuleKind;
import io.trawl.redis.RedisModules;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.standalone.CoordinatorClient.Unavailable;
import io.trawl.time.Time;
import java.net.URI;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Where coordinators are: the one that is named; else, unless the environment names a Redis or a namespace, the one of this machine at its usual port; else those in
 * the registrar. The registrar is asked only when it is needed: connecting to Redis takes longer than everything else that a command does.
 */
public final class Coordinators {
    /** Where a coordinator answers unless it is told otherwise. */
    static final URI USUAL = URI.create("http://127.0.0.1:8080");
    private static final List<String> ELSEWHERE = List.of("TRAWL_REDIS_URL", "TRAWL_NAMESPACE");

    private Coordinators() {}

    /**
     * The candidates, the best first; never none.
     *
     * @param named what the user named, if anything
     * @param environment the environment variables
     * @throws InvalidValue if what is named is no address
     */
    public static Iterator<URI> candidates(Optional<String> named, Map<String, String> environment) {
        return candidates(named, environment, Coordinators::registered);
    }

    /** The same with a registrar of one's own. */
    static Iterator<URI> candidates(Optional<String> named, Map<String, String> environment, Supplier<List<URI>> registrar) {
        if (named.isPresent()) {
            return List.of(address(named.get())).iterator();
        }
        Stream<URI> usual = ELSEWHERE.stream().anyMatch(environment::containsKey) ? Stream.empty() : Stream.of(USUAL);
        // A stream's flatMap is lazy in iterator(): the registrar is asked when the usual place has failed.
        return Stream.concat(usual.map(List::of).<Supplier<List<URI>>>map(list -> () -> list), Stream.of(registrar))
                .flatMap(source -> source.get().stream()).iterator();
    }

    /** @throws Unavailable if nobody is registered, or Redis does not answer */
    private static List<URI> registered() {
        Settings settings = SettingsReader.fromEnvironment();
        try (RedisModules redis = RedisModules.connect(settings.redis().url(), settings.namespace(), Time.system())) {
            List<URI> all = redis.registrar().all(ModuleKind.COORDINATOR).stream()
                    .map(c -> URI.create("http://" + c.mid().address())).toList();
            if (all.isEmpty()) {
                throw new Unavailable("no coordinator is registered in the Redis at " + shown(settings)
                        + "; is one running? Name it with --coordinator or TRAWL_COORDINATOR");
            }
            return all;
        } catch (LedgerUnavailable e) {
            throw new Unavailable("no coordinator is named, and Redis does not answer at " + shown(settings)
                    + ": name a coordinator with --coordinator or TRAWL_COORDINATOR, or set TRAWL_REDIS_URL");
        }
    }

    /** The URL of Redis without its password. */
    private static String shown(Settings settings) {
        return settings.redis().url().replaceFirst("//[^@/]*@", "//");
    }

    private static URI address(String text) {
        try {
            URI base = URI.create(text);
            if (base.getHost() != null && base.getUserInfo() == null
                    && ("http".equals(base.getScheme()) || "https".equals(base.getScheme()))) {
                return base;
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        throw new InvalidValue("--coordinator", text, "an http or https URL such as http://127.0.0.1:8080");
    }
}
