package io.trawl.standalone.text;

import io.trawl.coordinator.text.Figures;
import io.trawl.pipeline.changes.ChangeCounts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How a run differs from the one before, in a line. Pure. */
public final class ChangeText {
    private ChangeText() {}

    /** What there is of each kind, and the items that do not differ. */
    public static String of(ChangeCounts counts) {
        Map<String, Long> kinds = new LinkedHashMap<>();
        kinds.put("new", counts.added());
        kinds.put("changed", counts.changed());
        kinds.put("touched", counts.touched());
        kinds.put("unchanged", counts.unchanged());
        kinds.put("gone", counts.gone());
        kinds.put("back", counts.back());
        kinds.put("moved", counts.moved());
        kinds.put("failed", counts.failed());
        kinds.put("no longer linked", counts.unlinked());
        return kinds.entrySet().stream().filter(kind -> kind.getValue() > 0 || kind.getKey().equals("unchanged"))
                .map(kind -> kind.getKey() + " " + Figures.count(kind.getValue()))
                .collect(Collectors.joining(", ", "since run " + counts.since() + ": ", ""));
    }
}
