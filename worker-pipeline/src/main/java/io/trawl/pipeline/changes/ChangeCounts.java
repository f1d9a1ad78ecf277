package io.trawl.pipeline.changes;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many items of a run differ from those of an older one. The names are those of {@link ChangeKind}.
 *
 * @param since the epoch of the older run
 */
public record ChangeCounts(@JsonProperty("since") int since, @JsonProperty("new") long added,
        @JsonProperty("changed") long changed, @JsonProperty("touched") long touched,
        @JsonProperty("unchanged") long unchanged, @JsonProperty("gone") long gone, @JsonProperty("back") long back,
        @JsonProperty("moved") long moved, @JsonProperty("failed") long failed,
        @JsonProperty("unlinked") long unlinked) {
    /** Those of a comparison. @param unchanged items that do not differ */
    static ChangeCounts of(int since, Map<ChangeKind, Long> counts, long unchanged) {
        return new ChangeCounts(since, counts.getOrDefault(ChangeKind.NEW, 0L),
                counts.getOrDefault(ChangeKind.CHANGED, 0L), counts.getOrDefault(ChangeKind.TOUCHED, 0L), unchanged,
                counts.getOrDefault(ChangeKind.GONE, 0L), counts.getOrDefault(ChangeKind.BACK, 0L),
                counts.getOrDefault(ChangeKind.MOVED, 0L), counts.getOrDefault(ChangeKind.FAILED, 0L),
                counts.getOrDefault(ChangeKind.UNLINKED, 0L));
    }

    /** The counts by the words for them. */
    public Map<String, Long> byKind() {
        Map<String, Long> kinds = new LinkedHashMap<>();
        kinds.put(ChangeKind.NEW.word(), added);
        kinds.put(ChangeKind.CHANGED.word(), changed);
        kinds.put(ChangeKind.TOUCHED.word(), touched);
        kinds.put("unchanged", unchanged);
        kinds.put(ChangeKind.GONE.word(), gone);
        kinds.put(ChangeKind.BACK.word(), back);
        kinds.put(ChangeKind.MOVED.word(), moved);
        kinds.put(ChangeKind.FAILED.word(), failed);
        kinds.put(ChangeKind.UNLINKED.word(), unlinked);
        return kinds;
    }
}
