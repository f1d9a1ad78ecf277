package io.trawl.extract.rule;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.trawl.model.InvalidValueException;
import io.trawl.pattern.TextPattern;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A step that changes the texts of a field: {@code trim}, {@code lower}, {@code upper},
 * <code>{replace: [old, new]}</code>, <code>{split: ","}</code>, <code>{join: ", "}</code>. An old text that begins
 * with {@code re:} is a regular expression of RE2.
 *
 * @param name of the step
 * @param arguments two of {@code replace}, one of {@code split} and {@code join}
 */
public record Transform(String name, List<String> arguments) {
    private static final String RULE = "trim, lower, upper, {replace: [old, new]}, {split: text} or {join: text}";
    private static final String REGEX = "re:";
    private static final int LONGEST = 100;
    private static final Map<String, Integer> ARGUMENTS = Map.of("trim", 0, "lower", 0, "upper", 0, "replace", 2,
            "split", 1, "join", 1);

    /** Copies the arguments. */
    public Transform {
        arguments = List.copyOf(arguments);
    }

    /**
     * Reads a step.
     *
     * @param written a text, or an object with one field
     * @throws InvalidValueException if there is no such step, or its arguments are not its own
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Transform of(Object written) {
        Transform read = switch (written) {
            case String name -> new Transform(name, List.of());
            case Map<?, ?> step when step.size() == 1 -> named(step.entrySet().iterator().next(), written);
            default -> throw invalid(written);
        };
        if (ARGUMENTS.getOrDefault(read.name, -1) != read.arguments.size()) {
            throw invalid(written);
        }
        if (read.name.equals("split") && read.arguments.getFirst().isEmpty()) {
            throw new InvalidValueException("split", "", "a text that is not empty");
        }
        if (read.arguments.stream().anyMatch(a -> a.length() > LONGEST && !a.startsWith(REGEX))) {
            throw new InvalidValueException(read.name, read.arguments.toString(),
                    "texts of at most " + LONGEST + " characters");
        }
        if (read.name.equals("replace")) {
            if (read.arguments.getFirst().isEmpty()) {
                throw new InvalidValueException("replace", written.toString(), "an old text that is not empty");
            }
            read.operator();
        }
        return read;
    }

    private static Transform named(Map.Entry<?, ?> step, Object written) {
        return switch (step.getValue()) {
            case String argument -> new Transform(String.valueOf(step.getKey()), List.of(argument));
            case List<?> list when list.stream().allMatch(String.class::isInstance) ->
                new Transform(String.valueOf(step.getKey()), list.stream().map(String::valueOf).toList());
            case null, default -> throw invalid(written);
        };
    }

    private static InvalidValueException invalid(Object written) {
        return new InvalidValueException("", written.toString(), RULE);
    }

    /** As it was written. */
    @JsonValue
    Object written() {
        return switch (arguments.size()) {
            case 0 -> name;
            case 1 -> Map.of(name, arguments.getFirst());
            default -> Map.of(name, arguments);
        };
    }

    private TextPattern pattern() {
        String old = arguments.getFirst();
        try {
            return TextPattern.parse(old.substring(REGEX.length()));
        } catch (InvalidValueException e) {
            throw new InvalidValueException("replace", old, e.rule());
        }
    }

    /** Whether it needs all values of the page, although the field has one. */
    public boolean joins() {
        return name.equals("join");
    }

    /** What it does to the texts of a field. */
    public UnaryOperator<List<String>> operator() {
        return switch (name) {
            case "trim" -> texts -> texts.stream().map(String::strip).toList();
            case "lower" -> texts -> texts.stream().map(text -> text.toLowerCase(Locale.ROOT)).toList();
            case "upper" -> texts -> texts.stream().map(text -> text.toUpperCase(Locale.ROOT)).toList();
            case "split" -> texts -> texts.stream().flatMap(this::parts).toList();
            case "join" -> texts -> texts.isEmpty() ? texts : List.of(String.join(arguments.getFirst(), texts));
            default -> replacing();
        };
    }

    private Stream<String> parts(String text) {
        return Stream.of(text.split(Pattern.quote(arguments.getFirst()), -1));
    }

    private UnaryOperator<List<String>> replacing() {
        String old = arguments.getFirst();
        String other = arguments.getLast();
        if (!old.startsWith(REGEX)) {
            return texts -> texts.stream().map(text -> text.replace(old, other)).toList();
        }
        TextPattern pattern = pattern();
        return texts -> texts.stream().map(text -> pattern.replaced(text, other)).toList();
    }
}
