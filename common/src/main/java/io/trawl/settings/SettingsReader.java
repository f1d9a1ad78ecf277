package io.trawl.settings;

import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.WithDefault;
import io.trawl.control.Webhook;
import io.trawl.model.Durations;
import io.trawl.codec.NearestName;
import io.trawl.control.CrawlVariables;
import io.trawl.control.Hidden;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.PolitenessKey;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;

/** Reads {@link Settings}, validates them as a whole and reports every fault. */
public final class SettingsReader {
    private static final Duration LONGEST_KEEP = Duration.ofDays(365);
    private static final String PREFIX = "trawl.";
    private static final int OVER_ENVIRONMENT = 400;
    private static final int OVER_ALL = 500;
    private static final String VARIABLE = "TRAWL_";
    /** Variables of the launcher script and of the commands that call a coordinator. */
    private static final Set<String> OTHER_VARIABLES = Set.of("TRAWL_JAVA_HOME", "TRAWL_JAVA_OPTS", "TRAWL_COORDINATOR",
            "TRAWL_API_TOKEN");
    private static final int LONGEST_VARIABLE = 80;

    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]{16,256}");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?");
    private SettingsReader() {}

    /** The settings of the environment variables {@code TRAWL_...}, with defaults for the rest. */
    public static Settings fromEnvironment() {
        return read(new EnvConfigSource(System.getenv(), 300));
    }

    /**
     * The settings of the environment, overridden by the given ones.
     *
     * @param properties names such as {@code trawl.kafka.bootstrap-servers}
     */
    public static Settings over(Map<String, String> properties) {
        return read(new EnvConfigSource(System.getenv(), 300),
                new PropertiesConfigSource(properties, "given", OVER_ENVIRONMENT));
    }

    /** The given settings and defaults for the rest; ignores the environment. */
    public static Settings from(Map<String, String> properties) {
        return read(new PropertiesConfigSource(properties, "given", OVER_ENVIRONMENT));
    }

    /**
     * The environment variable of a property: {@code TRAWL_KAFKA_BOOTSTRAP_SERVERS} for
     * {@code trawl.kafka.bootstrap-servers}.
     */
    public static String variable(String property) {
        return property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }

    /**
     * All settings, with names such as {@code trawl.kafka.bootstrap-servers}, each with its default if it has one;
     * docs/configuration.md lists the same.
     */
    public static Map<String, Optional<String>> properties() {
        Map<String, Optional<String>> found = new LinkedHashMap<>();
        methods().forEach((name, method) -> found.put(name,
                Optional.ofNullable(method.getAnnotation(WithDefault.class)).map(WithDefault::value)));
        return found;
    }

    private static Map<String, Method> methods() {
        Map<String, Method> found = new LinkedHashMap<>();
        collect(Settings.class, "trawl", found);
        return found;
    }

    private static void collect(Class<?> type, String prefix, Map<String, Method> found) {
        for (Method method : type.getDeclaredMethods()) {
            String name = prefix + "." + method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (method.getReturnType().isInterface() && method.getReturnType().getEnclosingClass() == Settings.class) {
                collect(method.getReturnType(), name, found);
            } else {
                found.put(name, method);
            }
        }
    }

    /**
     * A sentence for each variable of the environment that begins with TRAWL_ and has no effect, with the nearest valid
     * one.
     */
    public static List<String> ineffective(Set<String> environment) {
        Set<String> known = new TreeSet<>(OTHER_VARIABLES);
        properties().keySet().forEach(property -> known.add(variable(property)));
        return environment.stream()
                .filter(name -> name.startsWith(VARIABLE) && !known.contains(name) && !CrawlVariables.named(name))
                .sorted().map(name -> name + " is set, but there is no such setting"
                        + nearest(name, known).map(setting -> ": did you mean " + setting + "?").orElse(""))
                .toList();
    }

    private static Optional<String> nearest(String name, Set<String> known) {
        return name.length() > LONGEST_VARIABLE
                ? Optional.empty()
                : known.stream().min(Comparator.comparingInt(setting -> NearestName.typos(name, setting))).filter(
                        setting -> NearestName.typos(name, setting) <= (setting.length() - VARIABLE.length()) / 3);
    }

    private static SmallRyeConfigBuilder builder() {
        return new SmallRyeConfigBuilder().withConverter(Duration.class, 200, text -> Durations.parse("duration", text))
                .withConverter(PolitenessKey.class, 200, PolitenessKey::of).withConverter(Role.class, 200, Role::of)
                .withConverter(Path.class, 200, SettingsReader::path).withValidateUnknown(false);
    }

    /** An empty text is an absent path: the configuration library represents absence as null. */
    private static @Nullable Path path(String text) {
        return text.isEmpty() ? null : Path.of(text);
    }

    /** Values that cannot be read are replaced by their defaults, so that the rules can check the rest. */
    private static Settings read(ConfigSource... sources) {
        SmallRyeConfig written = builder().withSources(sources).build();
        List<Fault> faults = new ArrayList<>();
        Map<String, String> instead = new HashMap<>();
        methods().forEach((name, method) -> new SettingType(method.getGenericReturnType()).broken(written, name)
                .ifPresent(rule -> {
                    faults.add(
                            new Fault(variable(name), Objects.requireNonNullElse(written.getRawValue(name), ""), rule));
                    instead.put(name, Optional.ofNullable(method.getAnnotation(WithDefault.class))
                            .map(WithDefault::value).orElse(""));
                }));
        Settings settings = builder().withMapping(Settings.class).withSources(sources)
                .withSources(new PropertiesConfigSource(instead, "defaults instead", OVER_ALL)).build()
                .getConfigMapping(Settings.class);
        faults.addAll(new SettingsRules(settings).faults());
        if (!faults.isEmpty()) {
            throw new InvalidSettingsException(faults);
        }
        return settings;
    }

    /** The type of a setting, and how users write its values. */
    private record SettingType(Type type) {
        private static final Set<String> TRUTHS = Set.of("true", "false", "1", "0", "yes", "no", "y", "n", "on", "off");

        /** The rule that the value breaks, if any. */
        Optional<String> broken(SmallRyeConfig written, String name) {
            String text = written.getRawValue(name);
            if (text == null) {
                return Optional.empty();
            }
            boolean optional = raw() == Optional.class;
            if (text.isEmpty()) {
                return optional ? Optional.empty() : Optional.of("it must be set");
            }
            SettingType held = optional ? held() : this;
            return held.raw() == List.class
                    ? Arrays.stream(text.split(",")).flatMap(each -> held.held().rule(written, each.strip()).stream())
                            .findFirst()
                    : held.rule(written, text);
        }

        private Class<?> raw() {
            return type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : (Class<?>) type;
        }

        private SettingType held() {
            return new SettingType(((ParameterizedType) type).getActualTypeArguments()[0]);
        }

        private Optional<String> rule(SmallRyeConfig written, String text) {
            Class<?> wanted = MethodType.methodType(raw()).wrap().returnType();
            if (wanted == Boolean.class) {
                return TRUTHS.contains(text.toLowerCase(Locale.ROOT)) ? Optional.empty() : Optional.of("true or false");
            }
            try {
                written.getConverter(wanted).orElseThrow().convert(text);
                return Optional.empty();
            } catch (InvalidValueException e) {
                return Optional.of(e.rule());
            } catch (IllegalArgumentException e) {
                return Optional.of(words(wanted, text));
            }
        }

        private static String words(Class<?> wanted, String text) {
            if (wanted == Integer.class || wanted == Long.class) {
                return text.matches("-?[0-9]+") ? "a number that is not so large" : "a whole number";
            }
            return wanted == Double.class ? "a number" : "a " + wanted.getSimpleName().toLowerCase(Locale.ROOT);
        }
    }

    /** The rules that types of single settings cannot express. */
    private static final class SettingsRules {
        private final List<Fault> faults = new ArrayList<>();
        private final Settings settings;

        SettingsRules(Settings settings) {
            this.settings = settings;
        }

        List<Fault> faults() {
            try {
                new Namespace(settings.namespace());
            } catch (InvalidValueException e) {
                faults.add(e.fault());
            }
            oneOf("log.format", settings.log().format(), List.of("text", "json"));
            oneOf("log.level", settings.log().level(), List.of("ERROR", "WARN", "INFO", "DEBUG"));
            range("topics.levels", settings.topics().levels(), 1, 10);
            range("topics.request-partitions", settings.topics().requestPartitions(), 1, 10_000);
            range("topics.response-partitions", settings.topics().responsePartitions(), 1, 10_000);
            range("topics.item-partitions", settings.topics().itemPartitions(), 1, 10_000);
            range("topics.ledger-partitions", settings.topics().ledgerPartitions(), 1, 1000);
            for (SharedSetting setting : SharedSetting.values()) {
                if (setting.changeable()) {
                    check(setting);
                }
            }
            range("topics.segment-bytes", settings.topics().segmentBytes(), 1 << 20, 1 << 30);
            if (settings.topics().itemsKeep().isNegative()
                    || settings.topics().itemsKeep().compareTo(LONGEST_KEEP) > 0) {
                fault("topics.items-keep", Durations.format(settings.topics().itemsKeep()), "0s to 365d");
            }
            if (settings.topics().trimInterval().toMillis() < 100) {
                fault("topics.trim-interval", Durations.format(settings.topics().trimInterval()), "at least 100ms");
            }
            range("http.port", settings.http().port(), 0, 65_535);
            token("api.read-token", settings.api().readToken());
            token("api.write-token", settings.api().writeToken());
            token("api.internal-key", settings.api().internalKey());
            settings.api().tokensFile().filter(_ -> settings.api().internalKey().isEmpty())
                    .ifPresent(file -> fault("api.tokens-file", file.toString(),
                            "only with TRAWL_API_INTERNAL_KEY, which signs calls between processes"));
            settings.http().hosts().orElse(List.of()).stream().filter(name -> !HOST.matcher(name).matches())
                    .forEach(name -> fault("http.hosts", name, "names such as crawl.example.org, without a port"));
            webhook(settings.webhook());
            traces(settings.traces());
            range("metrics.crawls", settings.metrics().crawls(), 0, 1000);
            range("ledger.buckets", settings.ledger().buckets(), 1, 1 << 24);
            range("ledger.cache", settings.ledger().cache(), 0, 100_000_000);
            settings.downloader().concurrency().ifPresent(cap -> range("downloader.concurrency", cap, 1, 100_000));
            List<String> nameServers = settings.downloader().nameServers().orElse(List.of());
            if (!nameServers.equals(List.of(NameServerAddress.SYSTEM))) {
                nameServers.stream().filter(each -> NameServerAddress.read(each).isEmpty())
                        .forEach(each -> fault("downloader.name-servers", each, NameServerAddress.RULE));
            }
            range("downloader.browser-pages", settings.downloader().browserPages(), 1, 100);
            range("downloader.per-host", settings.downloader().perHost(), 1, 1000);
            settings.downloader().shares().orElse(List.of())
                    .forEach(share -> range("downloader.shares", share, 1, 1_000_000));
            range("downloader.body-limit", settings.downloader().bodyLimit(), 1024, 512 << 20);
            range("downloader.retries-failure", settings.downloader().retriesFailure(), 0, 100);
            range("downloader.retries-status", settings.downloader().retriesStatus(), 0, 100);
            range("downloader.give-up-failures", settings.downloader().giveUpFailures(), 0, 1_000_000);
            range("downloader.give-up-rounds", settings.downloader().giveUpRounds(), 0, 1000);
            if (!settings.downloader().giveUpPause().isPositive()) {
                fault("downloader.give-up-pause", Durations.format(settings.downloader().giveUpPause()),
                        "longer than 0ms");
            }
            if (settings.downloader().giveUpLongestPause().compareTo(settings.downloader().giveUpPause()) < 0) {
                fault("downloader.give-up-longest-pause", Durations.format(settings.downloader().giveUpLongestPause()),
                        "not shorter than TRAWL_DOWNLOADER_GIVE_UP_PAUSE");
            }
            if (settings.downloader().stragglerAge().isNegative()) {
                fault("downloader.straggler-age", Durations.format(settings.downloader().stragglerAge()), "0s or more");
            }
            range("downloader.straggler-records", settings.downloader().stragglerRecords(), 1, 1_000_000_000);
            range("downloader.pending", settings.downloader().pending(), 100, 1_000_000_000);
            range("downloader.pending-bytes", settings.downloader().pendingBytes(), 1_000, 1L << 40);
            range("analyzer.threads", settings.analyzer().threads(), 0, 1024);
            range("analyzer.batch", settings.analyzer().batch(), 1, 10_000);
            range("analyzer.redirects", settings.analyzer().redirects(), 0, 100);
            range("analyzer.url-length", settings.analyzer().urlLength(), 64, 65_536);
            range("analyzer.links-per-page", settings.analyzer().linksPerPage(), 1, 1_000_000);
            range("analyzer.nodes-per-page", settings.analyzer().nodesPerPage(), 1_000, 100_000_000);
            range("analyzer.stuck-threads", settings.analyzer().stuckThreads(), 0, 1024);
            range("pipeline.file-size", settings.pipeline().fileSize(), 1, Long.MAX_VALUE);
            Duration sink = settings.pipeline().sinkTimeout();
            if (sink.toMillis() < 1000 || sink.toSeconds() > 90) {
                fault("pipeline.sink-timeout", Durations.format(sink), "1s to 90s");
            }
            if (!(settings.downloader().adaptiveFactor() >= 0 && settings.downloader().adaptiveFactor() <= 100)) {
                fault("downloader.adaptive-factor", Double.toString(settings.downloader().adaptiveFactor()),
                        "0 to 100");
            }
            range("serials.start", settings.serials().start(), 1, settings.serials().largest());
            if (settings.lease().toMillis() < 1000) {
                fault("lease", Durations.format(settings.lease()), "at least 1s");
            }
            Duration lease = settings.downloader().lease();
            if (lease.toMillis() < 2000 || lease.toMinutes() > 10) {
                fault("downloader.lease", Durations.format(lease), "2s to 10m");
            }
            return List.copyOf(faults);
        }

        /** A bearer token by RFC 6750, too long to be guessed; the message never shows the value. */
        private void token(String name, Optional<String> token) {
            if (token.filter(t -> !TOKEN.matcher(t).matches()).isPresent()) {
                fault(name, Hidden.TEXT, "16 to 256 letters, digits or any of . _ ~ + / = -");
            }
        }

        private void oneOf(String name, String value, List<String> offered) {
            if (!offered.contains(value)) {
                fault(name, value, String.join(", ", offered));
            }
        }

        private void traces(Settings.TraceSettings traceSettings) {
            traceSettings.endpoint().filter(url -> !Webhook.isUrl(url))
                    .ifPresent(url -> fault("traces.endpoint", Hidden.beyondServer(url), Webhook.URL_RULE));
            if (!(traceSettings.share() >= 0 && traceSettings.share() <= 1)) {
                fault("traces.share", Double.toString(traceSettings.share()), "0 to 1");
            }
        }

        private void webhook(Settings.WebhookSettings webhookSettings) {
            webhookSettings.url().filter(url -> !Webhook.isUrl(url))
                    .ifPresent(url -> fault("webhook.url", Hidden.beyondServer(url), Webhook.URL_RULE));
            webhookSettings.secret().filter(secret -> Webhook.key(secret).isEmpty())
                    .ifPresent(secret -> fault("webhook.secret", Hidden.TEXT, Webhook.SECRET_RULE));
            if (webhookSettings.url().isPresent() != webhookSettings.secret().isPresent()) {
                fault("webhook.secret", webhookSettings.secret().map(secret -> Hidden.TEXT).orElse(""),
                        "set if and only if TRAWL_WEBHOOK_URL is set");
            }
        }

        private void check(SharedSetting setting) {
            try {
                setting.check(setting.variable(), (long) setting.own(settings));
            } catch (InvalidValueException e) {
                faults.add(e.fault());
            }
        }

        private void range(String name, long value, long least, long most) {
            if (value < least || value > most) {
                fault(name, Long.toString(value), least + " to " + most);
            }
        }

        private void fault(String name, String value, String rule) {
            faults.add(new Fault(variable(PREFIX + name), value, rule));
        }
    }
}
