package io.trawl.settings;

import io.trawl.codec.NearestName;
import io.trawl.definition.CrawlVariables;
import io.trawl.field.Constraints;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads {@link Settings}, validates them as a whole and reports every fault. */
public final class SettingsReader {
    private static final String PREFIX = "trawl";
    private static final String VARIABLE = "TRAWL_";
    /** Variables of the launcher script and of the commands that call a coordinator. */
    private static final Set<String> OTHER_VARIABLES = Set.of("TRAWL_JAVA_HOME", "TRAWL_JAVA_OPTS", "TRAWL_COORDINATOR",
            "TRAWL_API_TOKEN");
    private static final int LONGEST_VARIABLE = 80;

    private final Function<String, @Nullable String> source;
    private final List<Fault> faults = new ArrayList<>();

    /** @param source the text of a property; null if it is not set */
    private SettingsReader(Function<String, @Nullable String> source) {
        this.source = source;
    }

    /** The settings of the environment variables {@code TRAWL_...}, with defaults for the rest. */
    public static Settings fromEnvironment() {
        return over(Map.of());
    }

    /**
     * The settings of the environment, overridden by the given ones.
     *
     * @param properties names such as {@code trawl.kafka.bootstrap-servers}
     */
    public static Settings over(Map<String, String> properties) {
        Map<String, String> environment = System.getenv();
        return new SettingsReader(name -> properties.getOrDefault(name, environment.get(variable(name)))).read();
    }

    /** The given settings and defaults for the rest; ignores the environment. */
    public static Settings from(Map<String, String> properties) {
        return new SettingsReader(properties::get).read();
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
        return DeclaredSetting.all(Settings.class, PREFIX)
                .collect(Collectors.toMap(DeclaredSetting::property, DeclaredSetting::preset));
    }

    /** The rules beside the setting of that name. */
    public static Constraints constraints(String property) {
        return DeclaredSetting.all(Settings.class, PREFIX).filter(setting -> setting.property().equals(property))
                .findFirst().orElseThrow().constraints();
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

    private Settings read() {
        Settings settings = group(Settings.class, PREFIX);
        faults.addAll(new SettingsRules(settings).faults());
        if (!faults.isEmpty()) {
            throw new InvalidSettingsException(faults.stream().sorted(Comparator.comparing(Fault::field)).toList());
        }
        return settings;
    }

    private <T> T group(Class<T> type, String prefix) {
        Map<String, Object> values = new HashMap<>();
        for (Method method : type.getDeclaredMethods()) {
            DeclaredSetting setting = DeclaredSetting.of(prefix, method);
            values.put(method.getName(),
                    setting.group() ? group(method.getReturnType(), setting.property()) : value(setting));
        }
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
                (group, method, arguments) -> switch (method.getName()) {
                    case "equals" -> group == arguments[0];
                    case "hashCode" -> System.identityHashCode(group);
                    case "toString" -> prefix;
                    default -> values.get(method.getName());
                }));
    }

    /** A value that cannot be read is replaced by its default, so that the rules can check the rest. */
    private Object value(DeclaredSetting setting) {
        String preset = setting.preset().orElse("");
        try {
            Object value = setting.read(Objects.requireNonNullElse(source.apply(setting.property()), preset));
            setting.faults(value).forEach(faults::add);
            return value;
        } catch (InvalidValueException e) {
            faults.add(e.fault());
            return setting.read(preset);
        }
    }
}
