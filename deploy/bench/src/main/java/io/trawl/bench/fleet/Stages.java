package io.trawl.bench.fleet;

import io.trawl.model.InvalidValue;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How many processes each stage has. Written {@code 2/1/1}: downloaders, analyzers, pipelines.
 */
public record Stages(int downloaders, int analyzers, int pipelines) {
    private static final Pattern FORM = Pattern.compile("[1-9][0-9]?/[1-9][0-9]?/[1-9][0-9]?");

    /** @throws InvalidValue if the text is not of that form */
    public static Stages parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new InvalidValue("step", text, "DOWNLOADERS/ANALYZERS/PIPELINES, 1 to 99 each, for example 2/1/1");
        }
        List<Integer> counts = Arrays.stream(text.split("/")).map(Integer::valueOf).toList();
        return new Stages(counts.get(0), counts.get(1), counts.get(2));
    }

    /** All processes. */
    public int processes() {
        return downloaders + analyzers + pipelines;
    }

    @Override
    public String toString() {
        return downloaders + "/" + analyzers + "/" + pipelines;
    }
}
