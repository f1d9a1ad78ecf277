package io.trawl.coordinator.summary;

import io.trawl.definition.CrawlDefinition;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The fetchers, parsers, item processors and sinks that a definition names and running processes do not have. Pure
 * functions.
 */
final class UnknownNames {
    private UnknownNames() {}

    /**
     * A sentence for each name and process.
     *
     * @param live processes; one that does not report names counts as one that has all
     */
    static List<String> of(CrawlDefinition definition, List<Registration> live) {
        List<String> notes = new ArrayList<>();
        definition.fetch().fetcher()
                .ifPresent(name -> add(notes, "fetcher", name, ModuleKind.DOWNLOADER, live, "its requests fail"));
        definition.extract().parsers().forEach(
                name -> add(notes, "parser", name, ModuleKind.ANALYZER, live, "each of its pages has an error"));
        definition.process().processors().stream().flatMap(step -> step.name().stream()).forEach(name -> add(notes,
                "item processor", name, ModuleKind.PIPELINE, live, "its items fail as if in a processor"));
        definition.sinks().stream().filter(sink -> !sink.isFiles()).forEach(sink -> add(notes, "sink", sink.type(),
                ModuleKind.PIPELINE, live, "its items wait for one that has it"));
        return notes;
    }

    private static void add(List<String> notes, String what, String name, ModuleKind kind, List<Registration> live,
            String effect) {
        live.stream().filter(module -> module.mid().kind() == kind)
                .sorted(Comparator.comparingLong(module -> module.mid().serial())).forEach(
                        module -> module.names().filter(known -> !known.contains(name))
                                .ifPresent(known -> notes.add(module.mid().instance() + " has no " + what + " '" + name
                                        + "'" + (known.isEmpty() ? "" : ", only " + String.join(", ", known)) + ": "
                                        + effect)));
    }
}
