package io.trawl.bench.fleet;

import io.trawl.model.InvalidValueException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The number of processes of each stage. The text form is {@code 2/1/1}: downloaders, analyzers, pipelines.
 */
public record StageCounts(int downloaders, int analyzers, int pipelines) {
    /** One of each. */
    public static final StageCounts ONE = new StageCounts(1, 1, 1);
    private static final Pattern FORM = Pattern.compile("[1-9][0-9]?/[1-9][0-9]?/[1-9][0-9]?");

    /** @throws InvalidValueException if the text is not of that form */
    public static StageCounts parse(String text) {
        if (!FORM.matcher(text).matches()) {
            throw new InvalidValueException("step", text,
                    "DOWNLOADERS/ANALYZERS/PIPELINES, 1 to 99 each, for example 2/1/1");
        }
        List<Integer> counts = Arrays.stream(text.split("/")).map(Integer::valueOf).toList();
        return new StageCounts(counts.get(0), counts.get(1), counts.get(2));
    }

    /** The total number of processes. */
    public int processes() {
        return downloaders + analyzers + pipelines;
    }

    @Override
    public String toString() {
        return downloaders + "/" + analyzers + "/" + pipelines;
    }
}
