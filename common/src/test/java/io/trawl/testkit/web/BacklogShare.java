package io.trawl.testkit.web;

import io.trawl.model.InvalidValueException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A part of a backlog: a number of hosts, each with the same number of requests, at one priority. The text form is
 * {@code 1000x100@1}; without {@code @} the priority is 0.
 */
public record BacklogShare(int hosts, int perHost, int priority) {
    private static final Pattern FORM = Pattern.compile("([1-9][0-9]{0,7})x([1-9][0-9]{0,8})(?:@([0-9]))?");

    /** @throws InvalidValueException if the text is not of that form */
    public static BacklogShare parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new InvalidValueException("share", text,
                    "HOSTSxREQUESTS or HOSTSxREQUESTS@PRIORITY, for example 1000x100@1");
        }
        return new BacklogShare(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)),
                matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3)));
    }

    /** The number of requests. */
    public long requests() {
        return (long) hosts * perHost;
    }

    @Override
    public String toString() {
        return hosts + "x" + perHost + "@" + priority;
    }
}
