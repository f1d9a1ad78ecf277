package io.trawl.coordinator.definition;

import io.trawl.control.sink.SinkDefinition;
import io.trawl.model.InvalidValueException.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The rules of the list of sinks. Pure. */
final class SinkRules {
    private static final int MOST = 10;
    private static final int MOST_NAMES = 100;
    private static final int LONGEST = 200;
    private static final Set<String> COMPRESSIONS = Set.of(SinkDefinition.GZIP, SinkDefinition.ZSTD);
    private static final Pattern PLUGIN = Pattern.compile("(?=.{3,100}$)[a-z0-9-]+(\\.[a-z0-9-]+)+");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,29}");

    private SinkRules() {}

    /** What is wrong. @param field of the list */
    static Stream<Fault> faults(String field, List<SinkDefinition> sinks) {
        return sinks.size() > MOST
                ? Stream.of(new Fault(field, Integer.toString(sinks.size()), "at most " + MOST))
                : IntStream.range(0, sinks.size()).boxed()
                        .flatMap(i -> faults(field + "[" + i + "]", sinks.get(i), sinks.subList(0, i)));
    }

    private static Stream<Fault> faults(String at, SinkDefinition sink, List<SinkDefinition> before) {
        List<Fault> faults = new ArrayList<>();
        boolean known = sink.isFiles() || PLUGIN.matcher(sink.type()).matches();
        if (!known) {
            faults.add(new Fault(at + ".type", sink.type(),
                    "jsonl, csv, or the type of a sink of a plug-in, which has a dot: at most 100 characters of a-z 0-9 . -"));
        }
        if (known && !sink.isFiles() && sink.name().isEmpty()) {
            faults.add(new Fault(at + ".name", "", "it is required for a sink of a plug-in"));
        }
        if (sink.isFiles() && sink.skip().isPresent()) {
            faults.add(new Fault(at + ".skip", sink.skip().get().toString(), "left out for files, which are never behind"));
        }
        if (sink.isFiles() && !sink.settings().isEmpty()) {
            faults.add(new Fault(at + ".settings", String.join(", ", sink.settings().keySet()), "left out for files"));
        }
        if (!sink.isFiles() && sink.compress().isPresent()) {
            faults.add(new Fault(at + ".compress", sink.compress().get(), "left out but for files"));
        }
        sink.name().filter(name -> !NAME.matcher(name).matches()).ifPresent(name -> faults
                .add(new Fault(at + ".name", name, "1 to 30 characters of a-z 0-9 -, the first a letter")));
        if (before.stream().anyMatch(other -> other.named().equals(sink.named()))) {
            faults.add(new Fault(at + (sink.name().isPresent() ? ".name" : ".type"), sink.named(),
                    "a name that no sink before has; without a name, the type is the name"));
        }
        sink.compress().filter(word -> !COMPRESSIONS.contains(word))
                .ifPresent(word -> faults.add(new Fault(at + ".compress", word, "gzip or zstd")));
        if (sink.type().equals(SinkDefinition.CSV) && sink.fields().isEmpty()) {
            faults.add(new Fault(at + ".fields", "", "the columns of the files, at least one"));
        }
        names(at + ".types", sink.types(), faults);
        names(at + ".fields", sink.fields(), faults);
        return faults.stream();
    }

    private static void names(String at, List<String> names, List<Fault> faults) {
        if (names.size() > MOST_NAMES) {
            faults.add(new Fault(at, Integer.toString(names.size()), "at most " + MOST_NAMES));
        }
        for (int i = 0; i < Math.min(names.size(), MOST_NAMES); i++) {
            String name = names.get(i);
            if (name.isBlank() || name.length() > LONGEST || names.indexOf(name) < i) {
                faults.add(new Fault(at + "[" + i + "]", name,
                        "a name of at most " + LONGEST + " characters that is not empty and not in the list before"));
            }
        }
    }
}
