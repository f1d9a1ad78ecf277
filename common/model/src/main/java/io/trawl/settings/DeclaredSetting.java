package io.trawl.settings;

import static java.util.Objects.requireNonNull;

import io.trawl.field.Constraints;
import io.trawl.model.Choice;
import io.trawl.model.Durations;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.PolitenessKey;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One setting: what stands beside its method in {@link Settings}. Immutable.
 *
 * @param property such as {@code trawl.topics.levels}
 * @param method returns a value, a list of values, or either in an {@link Optional}
 */
record DeclaredSetting(String property, Method method) {
    private static final Set<String> TRUE = Set.of("true", "1", "yes", "y", "on");
    private static final Set<String> FALSE = Set.of("false", "0", "no", "n", "off");
    /** How values are read; each function throws an {@link IllegalArgumentException} if the text is not valid. */
    private static final Map<Class<?>, Function<String, Object>> READERS = Map.of(String.class, text -> text,
            Path.class, Path::of, Boolean.class, DeclaredSetting::truth, Integer.class,
            text -> Integer.valueOf(text.strip()), Long.class, text -> Long.valueOf(text.strip()), Short.class,
            text -> Short.valueOf(text.strip()), Double.class, Double::valueOf, Duration.class,
            text -> Durations.parse("duration", text), PolitenessKey.class,
            text -> Choice.of("politeness key", PolitenessKey.values(), text), Role.class,
            text -> Choice.of("role", Role.values(), text));

    /** All settings of a group, and of the groups in it. */
    static Stream<DeclaredSetting> all(Class<?> group, String prefix) {
        return Arrays.stream(group.getDeclaredMethods()).map(method -> of(prefix, method))
                .flatMap(each -> each.group() ? all(each.method.getReturnType(), each.property) : Stream.of(each));
    }

    /** The setting, or the group, that a method of a group returns. */
    static DeclaredSetting of(String prefix, Method method) {
        return new DeclaredSetting(
                prefix + "." + method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT), method);
    }

    /** Whether it is a group of settings, and not a setting. */
    boolean group() {
        return method.getReturnType().getEnclosingClass() == Settings.class;
    }

    /** The environment variable: {@code TRAWL_TOPICS_LEVELS}. */
    String variable() {
        return SettingsReader.variable(property);
    }

    /** The default, as text. */
    Optional<String> preset() {
        return Optional.ofNullable(method.getAnnotation(Default.class)).map(Default::value);
    }

    /** The rules beside it. */
    Constraints constraints() {
        return Constraints.of(method);
    }

    /** The rules that a value breaks. */
    Stream<Fault> faults(Object value) {
        return switch (value) {
            case Optional<?> optional -> optional.stream().flatMap(this::faults);
            case List<?> list -> list.stream().flatMap(this::faults);
            default -> constraints().faults(variable(), value);
        };
    }

    /**
     * Reads a value; an empty text is none.
     *
     * @throws InvalidValueException if it is of another type, or if there is none and it must be there
     */
    Object read(String text) {
        Type type = method.getGenericReturnType();
        if (method.getReturnType() != Optional.class) {
            return value(type, text);
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(value(argument(type), text));
    }

    private Object value(Type type, String text) {
        if (text.isEmpty()) {
            throw new InvalidValueException(variable(), text, "it must be set");
        }
        return type instanceof ParameterizedType
                ? Arrays.stream(text.split("(?<!\\\\),")).map(each -> each.strip().replace("\\,", ","))
                        .filter(each -> !each.isEmpty()).map(each -> single(argument(type), each, text)).toList()
                : single(type, text, text);
    }

    private Object single(Type type, String text, String whole) {
        Class<?> wanted = MethodType.methodType((Class<?>) type).wrap().returnType();
        try {
            return requireNonNull(READERS.get(wanted)).apply(text);
        } catch (InvalidValueException e) {
            throw new InvalidValueException(variable(), whole, e.rule());
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException(variable(), whole, words(wanted, text));
        }
    }

    private static Type argument(Type type) {
        return ((ParameterizedType) type).getActualTypeArguments()[0];
    }

    private static Boolean truth(String text) {
        String word = text.toLowerCase(Locale.ROOT);
        if (!TRUE.contains(word) && !FALSE.contains(word)) {
            throw new InvalidValueException("", text, "true or false");
        }
        return TRUE.contains(word);
    }

    private static String words(Class<?> wanted, String text) {
        if (wanted == Double.class || !Number.class.isAssignableFrom(wanted)) {
            return wanted == Double.class ? "a number" : "a " + wanted.getSimpleName().toLowerCase(Locale.ROOT);
        }
        return text.strip().matches("-?[0-9]+") ? "a number that is not so large" : "a whole number";
    }
}
