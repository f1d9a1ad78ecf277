package io.trawl.standalone.text;

import io.trawl.coordinator.text.Figures;
import io.trawl.pipeline.changes.ChangeCounts;
import java.util.stream.Collectors;

/** How a run differs from the one before, in a line. Pure. */
public final class ChangeText {
    private ChangeText() {}

    /** What there is of each kind, and the items that do not differ. */
    public static String of(ChangeCounts counts) {
        return counts.byKind().entrySet().stream()
                .filter(kind -> kind.getValue() > 0 || kind.getKey().equals("unchanged"))
                .map(kind -> (kind.getKey().equals("unlinked") ? "no longer linked" : kind.getKey()) + " "
                        + Figures.count(kind.getValue()))
                .collect(Collectors.joining(", ", "since run " + counts.since() + ": ", ""));
    }
}
