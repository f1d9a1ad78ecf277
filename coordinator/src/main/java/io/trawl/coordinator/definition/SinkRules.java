package io.trawl.coordinator.definition;

import io.trawl.definition.CrawlVariables;
import io.trawl.definition.Hidden;
import io.trawl.definition.sink.BuiltInSink;
import io.trawl.definition.sink.ChunkRules;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.definition.sink.SinkSetting;
import io.trawl.definition.sink.WriteMode;
import io.trawl.model.InvalidValueException.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The rules of the list of sinks. Pure. */
final class SinkRules {
    private static final int MOST_NAMES = 100;
    private static final int LONGEST = 200;
    private static final Set<String> COMPRESSIONS = Set.of(SinkDefinition.GZIP, SinkDefinition.ZSTD);
    private static final Pattern PLUGIN = Pattern.compile("(?=.{3,100}$)[a-z0-9-]+(\\.[a-z0-9-]+)+");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,29}");
    /** How settings are called whose value is a secret. */
    private static final Pattern SECRET_NAME = Pattern
            .compile("(?i).*(passw|secret|token|credential|(api|access|private)[-_.]?key).*");

    private SinkRules() {}

    /** What is wrong. @param field of the list @param ownTopics which topics are Trawl's */
    static Stream<Fault> faults(String field, List<SinkDefinition> sinks, Predicate<String> ownTopics) {
        return IntStream.range(0, sinks.size()).boxed()
                .flatMap(i -> faults(field + "[" + i + "]", sinks.get(i), sinks.subList(0, i), ownTopics));
    }

    private static Stream<Fault> faults(String at, SinkDefinition sink, List<SinkDefinition> before,
            Predicate<String> ownTopics) {
        List<Fault> faults = new ArrayList<>();
        Optional<BuiltInSink> builtIn = BuiltInSink.of(sink.type());
        boolean plugin = PLUGIN.matcher(sink.type()).matches();
        if (!sink.isFiles() && !plugin && builtIn.isEmpty()) {
            faults.add(new Fault(at + ".type", sink.type(), "jsonl, csv, parquet, warc, "
                    + String.join(", ", BuiltInSink.types())
                    + ", or the type of a sink of a plug-in, which has a dot: at most 100 characters of a-z 0-9 . -"));
        }
        builtIn.ifPresent(named -> settings(at + ".settings", named, sink.settings(), faults));
        sink.topic().filter(ownTopics).ifPresent(topic -> faults
                .add(new Fault(at + ".settings.topic", topic, "a topic that is not one of Trawl's own")));
        if (plugin) {
            plugin(at, sink, faults);
        }
        if (sink.isFiles() && sink.skip().isPresent()) {
            faults.add(new Fault(at + ".skip", sink.skip().get().toString(),
                    "left out for files, which are never behind"));
        }
        if (sink.isFiles() && !sink.settings().isEmpty()) {
            faults.add(new Fault(at + ".settings", String.join(", ", sink.settings().keySet()), "left out for files"));
        }
        if (sink.isArchive()) {
            archive(at, sink, before, faults);
        }
        chunks(at, sink, faults);
        sink.name().filter(name -> !NAME.matcher(name).matches()).ifPresent(name -> faults
                .add(new Fault(at + ".name", name, "1 to 30 characters of a-z 0-9 -, the first a letter")));
        if (before.stream().anyMatch(other -> other.named().equals(sink.named()))) {
            faults.add(new Fault(at + (sink.name().isPresent() ? ".name" : ".type"), sink.named(),
                    "a name that no sink before has; without a name, the type is the name"));
        }
        compression(at + ".compress", sink, faults);
        if ((sink.type().equals(SinkDefinition.CSV)
                || SinkDefinition.CSV.equals(sink.settings().get("format")) && builtIn.isPresent())
                && sink.fields().isEmpty()) {
            faults.add(new Fault(at + ".fields", "", "the columns of the files, at least one"));
        }
        names(at + ".types", sink.types(), faults);
        names(at + ".fields", sink.fields(), faults);
        return faults.stream();
    }

    private static void plugin(String at, SinkDefinition sink, List<Fault> faults) {
        if (sink.name().isEmpty()) {
            faults.add(new Fault(at + ".name", "", "it is required for a sink of a plug-in"));
        }
        sink.settings().entrySet().stream()
                .filter(setting -> setting.getValue() instanceof String text && CrawlVariables.in(text))
                .forEach(setting -> faults.add(new Fault(at + ".settings." + setting.getKey(), Hidden.TEXT,
                        "no reference, since a plug-in reads secrets from its own environment")));
        sink.settings().keySet().stream().filter(name -> SECRET_NAME.matcher(name).matches()).sorted()
                .forEach(name -> faults.add(new Fault(at + ".settings." + name, Hidden.TEXT,
                        "left out: a definition is shown to others, and a plug-in reads secrets from its own environment")));
    }

    private static void chunks(String at, SinkDefinition sink, List<Fault> faults) {
        sink.from().filter(word -> !word.equals(SinkDefinition.ITEMS) && !word.equals(SinkDefinition.CHUNKS))
                .ifPresent(word -> faults.add(new Fault(at + ".from", word, "items or chunks")));
        if (!sink.ofChunks()) {
            sink.chunks().ifPresent(
                    _ -> faults.add(new Fault(at + ".chunks", "", "left out, since the sink has no from: chunks")));
            return;
        }
        if (sink.isArchive() || sink.types().contains(SinkDefinition.ERROR)) {
            faults.add(new Fault(at + ".from", SinkDefinition.CHUNKS,
                    "left out for " + (sink.isArchive()
                            ? "an archive, which has no items"
                            : "a sink that takes errors, which have no text")));
        }
        sink.fields().stream().filter(field -> !ChunkRules.FIELDS.contains(field)).findFirst()
                .ifPresent(field -> faults.add(new Fault(at + ".fields", field,
                        "the fields of a chunk, of " + String.join(", ", ChunkRules.FIELDS))));
        ChunkRules rules = sink.chunks().orElse(ChunkRules.DEFAULT);
        if (rules.most() < ChunkRules.FEWEST || rules.most() > ChunkRules.MOST) {
            faults.add(new Fault(at + ".chunks.maxTokens", Integer.toString(rules.most()),
                    ChunkRules.FEWEST + " to " + ChunkRules.MOST));
        } else if (rules.repeated() < 0 || rules.repeated() > rules.most() / 2) {
            faults.add(new Fault(at + ".chunks.overlap", Integer.toString(rules.repeated()),
                    "0 to half of maxTokens, here " + rules.most() / 2));
        }
    }

    private static void compression(String at, SinkDefinition sink, List<Fault> faults) {
        if (!sink.isFiles() && !sink.type().equals(BuiltInSink.S3.type()) && sink.compress().isPresent()) {
            faults.add(new Fault(at, sink.compress().get(), "left out but for files and s3"));
        }
        sink.compress().filter(word -> !COMPRESSIONS.contains(word))
                .ifPresent(word -> faults.add(new Fault(at, word, "gzip or zstd")));
        sink.compress().filter(word -> sink.type().equals(SinkDefinition.PARQUET) && word.equals(SinkDefinition.GZIP))
                .ifPresent(word -> faults.add(new Fault(at, word, "zstd, or left out for Snappy")));
    }

    /** All that is fetched goes into one archive, whose records are compressed one by one. */
    private static void archive(String at, SinkDefinition sink, List<SinkDefinition> before, List<Fault> faults) {
        sink.compress().ifPresent(
                word -> faults.add(new Fault(at + ".compress", word, "left out for an archive, which is gzip")));
        if (!sink.types().isEmpty()) {
            faults.add(new Fault(at + ".types", String.join(", ", sink.types()),
                    "left out for an archive, which has no items"));
        }
        if (!sink.fields().isEmpty()) {
            faults.add(new Fault(at + ".fields", String.join(", ", sink.fields()),
                    "left out for an archive, which has no items"));
        }
        if (before.stream().anyMatch(SinkDefinition::isArchive)) {
            faults.add(new Fault(at + ".type", sink.type(), "at most one archive per crawl"));
        }
    }

    private static void settings(String at, BuiltInSink sink, Map<String, Object> settings, List<Fault> faults) {
        List<String> names = sink.settings().stream().map(SinkSetting::name).toList();
        settings.keySet().stream().filter(name -> !names.contains(name)).sorted().forEach(name -> faults
                .add(new Fault(at + "." + name, Hidden.TEXT, "one of the settings " + String.join(", ", names))));
        sink.settings().forEach(
                setting -> fault(at + "." + setting.name(), setting, Optional.ofNullable(settings.get(setting.name())))
                        .ifPresent(faults::add));
        if (settings.containsKey(WriteMode.GONE) && names.contains(WriteMode.GONE)
                && sink.values(settings).writes() == WriteMode.APPEND) {
            faults.add(new Fault(at + "." + WriteMode.GONE, Hidden.userInfo(settings.get(WriteMode.GONE).toString()),
                    "left out without write: upsert"));
        }
        List<String> together = sink.together();
        if (together.stream().anyMatch(settings::containsKey) && !settings.keySet().containsAll(together)) {
            faults.add(new Fault(at, String.join(", ", settings.keySet()),
                    "both " + String.join(" and ", together) + ", or neither"));
        }
    }

    private static Optional<Fault> fault(String field, SinkSetting setting, Optional<Object> value) {
        if (value.isEmpty()) {
            return setting.required()
                    ? Optional.of(new Fault(field, "", "it is required: " + setting.rule()))
                    : Optional.empty();
        }
        String text = value.get().toString();
        if (setting.secret()) {
            Optional<String> rule = CrawlVariables.fault(text, CrawlVariables.SECRET);
            return rule.isEmpty() && text.startsWith("$") && CrawlVariables.only(text)
                    ? Optional.empty()
                    : Optional.of(new Fault(field, Hidden.TEXT, rule.orElse(CrawlVariables.RULE)));
        }
        if (value.get() instanceof Map || value.get() instanceof List) {
            return Optional.of(new Fault(field, text, "a text"));
        }
        return setting.valid().test(text)
                ? Optional.empty()
                : Optional.of(new Fault(field, Hidden.userInfo(text), setting.rule()));
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
