package io.trawl.model;

/**
 * A user's mistake in one field: names the field, the value and the rule. Its message is meant to be shown as it is, without a stack trace.
 */
public final class InvalidValue extends IllegalArgumentException {
    private final String field;
    private final String value;
    private final String rule;

    /**
     * @param field what the user knows the field as: an option, a JSON name, an environment variable
     * @param value what was given, cut to 200 characters for the message
     * @param rule what would have been right
     */
    public InvalidValue(String field, String value, String rule) {
        super(field + ": '" + (value.length() > 200 ? value.substring(0, 200) + "…" : value) + "' is not valid: " + rule);
        this.field = field;
        this.value = value;
        this.rule = rule;
    }

    /** The field as the user knows it. */
    public String field() {
        return field;
    }

    /** The value as it was given. */
    public String value() {
        return value;
    }

    /** What would have been right. */
    public String rule() {
        return rule;
    }
}
