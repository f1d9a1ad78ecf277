package io.trawl.definition;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The variables of the environment that definitions may refer to, as <code>${env:NAME}</code>. Those that begin with
 * {@value #SECRET} are secrets: only header values, cookies, proxies and webhooks refer to them, the reference stays in
 * the definition, and the process that uses the value looks it up. Those that begin with {@value #VALUE} take the place
 * of any other value when a definition is read, and are shown. No other variable can be read. Immutable.
 *
 * @param known the variables of this process, by name
 */
public record CrawlVariables(Map<String, String> known) {
    /** How the names of secrets begin. */
    public static final String SECRET = "TRAWL_SECRET_";
    /** How the names of other variables begin. */
    public static final String VALUE = "TRAWL_VALUE_";
    /** The rule for a value that must not be written as it is. */
    public static final String RULE = "a reference such as ${env:" + SECRET
            + "NAME}, since a secret stands in no definition";
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{env:([^{}]*+)(}?)");
    private static final Pattern NAME = Pattern.compile("(" + SECRET + "|" + VALUE + ")[A-Z0-9_]{1,100}");

    /** Keeps only variables that definitions may refer to. */
    public CrawlVariables {
        Map<String, String> named = new TreeMap<>(known);
        named.keySet().removeIf(name -> !named(name));
        known = Map.copyOf(named);
    }

    /** Those of this process. */
    public static CrawlVariables ofProcess() {
        return new CrawlVariables(System.getenv());
    }

    /** Whether definitions may refer to a variable of this name. */
    public static boolean named(String name) {
        return NAME.matcher(name).matches();
    }

    /** Whether a text has a reference, complete or not. */
    public static boolean in(String text) {
        return text.contains("${env:");
    }

    /**
     * Whether a text is nothing but a reference, behind at most one word such as {@code Bearer}: then it is no secret.
     */
    public static boolean only(String text) {
        return text.matches("([A-Za-z]+ )?\\$\\{env:" + NAME.pattern() + "}");
    }

    /** The text with another one instead of each reference, to check what is around them. */
    public static String replaced(String text, String instead) {
        return in(text) ? REFERENCE.matcher(text).replaceAll(Matcher.quoteReplacement(instead)) : text;
    }

    /** What is wrong with the references of a text, in words: their form, or names that do not begin so. */
    public static Optional<String> fault(String text, String prefix) {
        Matcher reference = REFERENCE.matcher(text);
        while (reference.find()) {
            if (reference.group(2).isEmpty() || !named(reference.group(1)) || !reference.group(1).startsWith(prefix)) {
                return Optional.of("${env:" + prefix + "NAME}, with a name of A-Z, 0-9 and _"
                        + (prefix.equals(VALUE)
                                ? "; secrets may stand in headers, cookies, proxies, webhooks and sinks only"
                                : ""));
            }
        }
        return Optional.empty();
    }

    /** @throws UnsetVariableException if a variable is not set in this process */
    public String resolve(String text) {
        return in(text)
                ? REFERENCE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value(found.group(1))))
                : text;
    }

    private String value(String name) {
        String value = known.get(name);
        if (value == null) {
            throw new UnsetVariableException(name);
        }
        return value;
    }

    /** A variable that a definition refers to is not set in this process. The message names it. */
    public static final class UnsetVariableException extends RuntimeException {
        UnsetVariableException(String name) {
            super("the variable " + name + " is not set in the environment of this process");
        }
    }
}
