package io.trawl.module;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.api.Counts;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.MID;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The entry of a live module in the registrar, renewed every second.
 *
 * @param mid its id and address
 * @param score its load
 * @param counts its counters
 * @param since when it started
 * @param deals the stop signs, and orders to move requests, that it has handled: key to version, set once its in-flight
 * work under that sign is done
 * @param state the state of its stage
 * @param draining the stop signs under which work is still in flight
 * @param waiting records of its input that it has not read; empty if its kind does not report that
 * @param partitions how many partitions of its input it serves now; empty if its kind does not report that
 * @param slots of a downloader that serves request topics
 * @param names of its fetchers, parsers, or item processors and sinks, which crawls name; empty if its kind has none
 * @param plugins a digest of its plug-ins; empty if it has none
 * @param notes what its operator should know about it, in sentences
 * @param hostNotes the same about hosts that hold up requests: by the crawl whose requests they are, and by
 * {@value #ALL_CRAWLS} those of all
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record Registration(MID mid, long score, Counts counts, Instant since, Map<String, Long> deals, StageState state,
        List<Deal> draining, Optional<Long> waiting, Optional<Integer> partitions, Optional<SlotCount> slots,
        Optional<List<String>> names, Optional<String> plugins, List<String> notes,
        Map<String, List<String>> hostNotes) {
    /** In the place of a crawl. */
    public static final String ALL_CRAWLS = "*";

    /**
     * Copies the collections; absent ones are empty.
     *
     * @throws io.trawl.model.InvalidValueException if another field is absent
     */
    public Registration {
        FieldRules.present("mid", mid);
        FieldRules.present("counts", counts);
        FieldRules.present("since", since);
        FieldRules.present("state", state);
        deals = deals == null ? Map.of() : Map.copyOf(deals);
        draining = draining == null ? List.of() : List.copyOf(draining);
        notes = notes == null ? List.of() : List.copyOf(notes);
        hostNotes = hostNotes == null ? Map.of() : Map.copyOf(hostNotes);
    }

    /** The entry of a module with these stop signs in force. */
    public static Registration of(MID mid, long score, Counts counts, Instant since, List<Deal> signs, StageState state,
            Optional<Long> waiting, Optional<Integer> partitions, Optional<SlotCount> slots,
            Optional<List<String>> names, Optional<String> plugins) {
        return new Registration(mid, score, counts, since,
                signs.stream().filter(deal -> deal.took().isPresent())
                        .collect(Collectors.toMap(Deal::sign, Deal::version)),
                state, signs.stream().filter(deal -> deal.took().isEmpty()).toList(), waiting, partitions, slots, names,
                plugins, List.of(), Map.of());
    }

    /**
     * The entry of a module without work in flight under a stop sign, that reports neither what waits nor what it
     * serves.
     */
    public Registration(MID mid, long score, Counts counts, Instant since, Map<String, Long> deals, StageState state) {
        this(mid, score, counts, since, deals, state, List.of(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), List.of(), Map.of());
    }

    /**
     * The notes of all modules: one line for those that say the same, with their MIDs.
     *
     * @param crawl the crawl that they concern, or {@value #ALL_CRAWLS}
     */
    public static List<String> notes(Collection<Registration> modules, String crawl) {
        Map<String, List<String>> byNote = new TreeMap<>();
        modules.forEach(module -> Stream
                .concat(module.notes().stream(), module.hostNotes().getOrDefault(crawl, List.of()).stream())
                .forEach(note -> byNote.computeIfAbsent(note, _ -> new ArrayList<>()).add(module.mid().toString())));
        return byNote.entrySet().stream().map(note -> String.join(", ", note.getValue()) + ": " + note.getKey())
                .toList();
    }

    /** The same with notes. */
    public Registration noting(List<String> told, Map<String, List<String>> ofHosts) {
        return new Registration(mid, score, counts, since, deals, state, draining, waiting, partitions, slots, names,
                plugins, told, ofHosts);
    }
}
