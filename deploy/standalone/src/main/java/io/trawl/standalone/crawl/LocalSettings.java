package io.trawl.standalone.crawl;

import io.trawl.embedded.EmbeddedServers;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.plugin.Plugins;
import io.trawl.settings.InvalidSettingsException;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.standalone.crawl.FleetRunner.FleetPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The settings of the modules of a one-command run. Settings of stages may come from the environment, and for a lasting
 * deployment its tokens, traces and webhooks. Addresses, ports and folders may not, because the shell may be set up for
 * another deployment.
 */
public final class LocalSettings {
    private static final List<String> TUNING = List.of("TOPICS", "LEDGER", "DOWNLOADER", "ANALYZER", "PIPELINE");
    private static final List<String> SINGLE = List.of("GRACE", "PLUGINS", "POLITENESS_KEY");
    /** Settings for external clients: used by lasting deployments only. */
    private static final List<String> OUTWARD = List.of("API", "TRACES", "WEBHOOK");
    /** Stages of one JVM share its cores: downloads that run ahead of the analysis only postpone the end. */
    private static final String RESPONSE_BACKLOG = "1000";
    private static final String WRITE_TOKEN = "trawl.api.write-token";
    private final Map<String, String> properties;

    private LocalSettings(Map<String, String> properties) {
        this.properties = properties;
    }

    /**
     * @throws InvalidSettingsException if the environment is not valid, or a file in the folder of plug-ins is no jar
     */
    static LocalSettings of(FleetPlan plan, Map<String, String> environment) {
        Map<String, String> properties = new HashMap<>();
        Stream<String> outward = plan.lasting() ? OUTWARD.stream() : Stream.empty();
        List<String> groups = Stream.concat(TUNING.stream(), outward).toList();
        environment
                .forEach(
                        (variable,
                                value) -> groups
                                        .stream().filter(
                                                group -> variable.startsWith("TRAWL_" + group + "_"))
                                        .forEach(group -> properties.put(
                                                "trawl." + inProperty(group) + "."
                                                        + inProperty(variable
                                                                .substring("TRAWL__".length() + group.length())),
                                                value)));
        SINGLE.stream().filter(single -> environment.containsKey("TRAWL_" + single))
                .forEach(single -> properties.put("trawl." + inProperty(single), environment.get("TRAWL_" + single)));
        properties.putIfAbsent("trawl.downloader.response-backlog", RESPONSE_BACKLOG);
        properties.put("trawl.out", plan.out().toString());
        properties.putIfAbsent("trawl.downloader.archives", plan.out().resolve("archive").toString());
        plan.concurrency().ifPresent(cap -> properties.put("trawl.downloader.concurrency", Integer.toString(cap)));
        properties.put("trawl.http.bind", "127.0.0.1");
        properties.put("trawl.http.port", "0");
        if (!plan.allowNetwork().isEmpty()) {
            properties.put("trawl.allow-network", String.join(",", plan.allowNetwork()));
        }
        List<Fault> faults = faults(properties);
        if (!faults.isEmpty()) {
            throw new InvalidSettingsException(faults);
        }
        return new LocalSettings(properties);
    }

    /**
     * The settings of what fetches and analyzes without servers.
     *
     * @throws InvalidSettingsException if the environment is not valid, or a file in the folder of plug-ins is no jar
     */
    public static Settings withoutServers(List<String> allowNetwork, Map<String, String> environment) {
        return SettingsReader
                .from(of(new FleetPlan(Path.of("pages"), Path.of(".trawl"), allowNetwork, Optional.of(1), false),
                        environment).properties);
    }

    /** The faults of all settings, and of the folder of plug-ins. */
    private static List<Fault> faults(Map<String, String> properties) {
        List<Fault> faults = new ArrayList<>();
        try {
            SettingsReader.from(properties);
        } catch (InvalidSettingsException e) {
            faults.addAll(e.faults());
        }
        Optional.ofNullable(properties.get("trawl.plugins")).filter(folder -> !folder.isEmpty())
                .ifPresent(folder -> faults.addAll(Plugins.faults(Path.of(folder))));
        return faults;
    }

    /** Whether the user has chosen tokens. */
    boolean hasTokens() {
        return properties.containsKey("trawl.api.read-token") || properties.containsKey(WRITE_TOKEN);
    }

    /** The same with a token for reading and writing. */
    LocalSettings withToken(String token) {
        Map<String, String> all = new HashMap<>(properties);
        all.put(WRITE_TOKEN, token);
        return new LocalSettings(all);
    }

    /**
     * The settings of a module on these servers.
     *
     * @param port of the module; 0: any free port
     */
    Settings on(EmbeddedServers servers, int port) {
        Map<String, String> all = new HashMap<>(properties);
        all.put("trawl.http.port", Integer.toString(port));
        all.put("trawl.kafka.bootstrap-servers", servers.kafka().bootstrapServers());
        all.put("trawl.redis.url", servers.redis().url());
        return SettingsReader.from(all);
    }

    /** {@code body-limit} for {@code BODY_LIMIT}. */
    private static String inProperty(String inVariable) {
        return inVariable.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
