package io.trawl.coordinator.definition;

import io.trawl.definition.CrawlVariables;
import io.trawl.definition.Hidden;
import io.trawl.definition.sink.BuiltInSink;
import io.trawl.definition.sink.ChunkRules;
import io.trawl.definition.sink.SinkDefinition;
import io.trawl.definition.sink.SinkSetting;
import io.trawl.definition.sink.WriteMode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

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

    /** Adds what is wrong. @param field of the list @param ownTopics which topics are Trawl's */
    static void check(FaultCollector faults, String field, List<SinkDefinition> sinks, Predicate<String> ownTopics) {
        for (int i = 0; i < sinks.size(); i++) {
            check(faults, field + "[" + i + "]", sinks.get(i), sinks.subList(0, i), ownTopics);
        }
    }

    private static void check(FaultCollector faults, String at, SinkDefinition sink, List<SinkDefinition> before,
            Predicate<String> ownTopics) {
        Optional<BuiltInSink> builtIn = BuiltInSink.of(sink.type());
        boolean plugin = PLUGIN.matcher(sink.type()).matches();
        faults.unless(sink.isFiles() || plugin || builtIn.isPresent(), at + ".type", sink.type(),
                "jsonl, csv, parquet, warc, " + String.join(", ", BuiltInSink.types())
                        + ", or the type of a sink of a plug-in, which has a dot: at most 100 characters of a-z 0-9 . -");
        builtIn.ifPresent(named -> settings(faults, at + ".settings", named, sink.settings()));
        sink.topic().ifPresent(topic -> faults.unless(!ownTopics.test(topic), at + ".settings.topic", topic,
                "a topic that is not one of Trawl's own"));
        if (plugin) {
            plugin(faults, at, sink);
        }
        if (sink.isFiles()) {
            sink.skip().ifPresent(
                    skip -> faults.unless(false, at + ".skip", skip, "left out for files, which are never behind"));
            faults.unless(sink.settings().isEmpty(), at + ".settings", String.join(", ", sink.settings().keySet()),
                    "left out for files");
        }
        if (sink.isArchive()) {
            archive(faults, at, sink, before);
        }
        chunks(faults, at, sink);
        sink.name().ifPresent(name -> faults.unless(NAME.matcher(name).matches(), at + ".name", name,
                "1 to 30 characters of a-z 0-9 -, the first a letter"));
        faults.unless(before.stream().noneMatch(other -> other.named().equals(sink.named())),
                at + (sink.name().isPresent() ? ".name" : ".type"), sink.named(),
                "a name that no sink before has; without a name, the type is the name");
        compression(faults, at + ".compress", sink);
        boolean columns = sink.type().equals(SinkDefinition.CSV)
                || SinkDefinition.CSV.equals(sink.settings().get("format")) && builtIn.isPresent();
        faults.unless(!columns || !sink.fields().isEmpty(), at + ".fields", "",
                "the columns of the files, at least one");
        names(faults, at + ".types", sink.types());
        names(faults, at + ".fields", sink.fields());
    }

    private static void plugin(FaultCollector faults, String at, SinkDefinition sink) {
        faults.unless(sink.name().isPresent(), at + ".name", "", "it is required for a sink of a plug-in");
        sink.settings()
                .forEach((name, value) -> faults.unless(!(value instanceof String text && CrawlVariables.in(text)),
                        at + ".settings." + name, Hidden.TEXT,
                        "no reference, since a plug-in reads secrets from its own environment"));
        sink.settings().keySet().stream().sorted().forEach(name -> faults.unless(!SECRET_NAME.matcher(name).matches(),
                at + ".settings." + name, Hidden.TEXT,
                "left out: a definition is shown to others, and a plug-in reads secrets from its own environment"));
    }

    private static void chunks(FaultCollector faults, String at, SinkDefinition sink) {
        sink.from().ifPresent(
                word -> faults.unless(word.equals(SinkDefinition.ITEMS) || word.equals(SinkDefinition.CHUNKS),
                        at + ".from", word, "items or chunks"));
        if (!sink.ofChunks()) {
            faults.unless(sink.chunks().isEmpty(), at + ".chunks", "", "left out, since the sink has no from: chunks");
            return;
        }
        faults.unless(!sink.isArchive() && !sink.types().contains(SinkDefinition.ERROR), at + ".from",
                SinkDefinition.CHUNKS,
                "left out for " + (sink.isArchive()
                        ? "an archive, which has no items"
                        : "a sink that takes errors, which have no text"));
        sink.fields().stream().filter(field -> !ChunkRules.FIELDS.contains(field)).findFirst()
                .ifPresent(field -> faults.unless(false, at + ".fields", field,
                        "the fields of a chunk, of " + String.join(", ", ChunkRules.FIELDS)));
        ChunkRules rules = sink.chunks().orElse(ChunkRules.DEFAULT);
        boolean size = rules.most() >= ChunkRules.FEWEST && rules.most() <= ChunkRules.MOST;
        faults.unless(size, at + ".chunks.maxTokens", rules.most(), ChunkRules.FEWEST + " to " + ChunkRules.MOST);
        faults.unless(!size || rules.repeated() >= 0 && rules.repeated() <= rules.most() / 2, at + ".chunks.overlap",
                rules.repeated(), "0 to half of maxTokens, here " + rules.most() / 2);
    }

    private static void compression(FaultCollector faults, String at, SinkDefinition sink) {
        sink.compress().ifPresent(word -> {
            faults.unless(sink.isFiles() || sink.type().equals(BuiltInSink.S3.type()), at, word,
                    "left out but for files and s3");
            faults.unless(COMPRESSIONS.contains(word), at, word, "gzip or zstd");
            faults.unless(!sink.type().equals(SinkDefinition.PARQUET) || !word.equals(SinkDefinition.GZIP), at, word,
                    "zstd, or left out for Snappy");
        });
    }

    /** All that is fetched goes into one archive, whose records are compressed one by one. */
    private static void archive(FaultCollector faults, String at, SinkDefinition sink, List<SinkDefinition> before) {
        sink.compress().ifPresent(
                word -> faults.unless(false, at + ".compress", word, "left out for an archive, which is gzip"));
        faults.unless(sink.types().isEmpty(), at + ".types", String.join(", ", sink.types()),
                "left out for an archive, which has no items");
        faults.unless(sink.fields().isEmpty(), at + ".fields", String.join(", ", sink.fields()),
                "left out for an archive, which has no items");
        faults.unless(before.stream().noneMatch(SinkDefinition::isArchive), at + ".type", sink.type(),
                "at most one archive per crawl");
    }

    private static void settings(FaultCollector faults, String at, BuiltInSink sink, Map<String, Object> settings) {
        List<String> names = sink.settings().stream().map(SinkSetting::name).toList();
        settings.keySet().stream().sorted().forEach(name -> faults.unless(names.contains(name), at + "." + name,
                Hidden.TEXT, "one of the settings " + String.join(", ", names)));
        sink.settings().forEach(setting -> setting(faults, at + "." + setting.name(), setting,
                Optional.ofNullable(settings.get(setting.name()))));
        if (settings.containsKey(WriteMode.GONE) && names.contains(WriteMode.GONE)) {
            faults.unless(sink.values(settings).writes() != WriteMode.APPEND, at + "." + WriteMode.GONE,
                    Hidden.userInfo(settings.get(WriteMode.GONE).toString()), "left out without write: upsert");
        }
        List<String> together = sink.together();
        faults.unless(together.stream().noneMatch(settings::containsKey) || settings.keySet().containsAll(together), at,
                String.join(", ", settings.keySet()), "both " + String.join(" and ", together) + ", or neither");
    }

    private static void setting(FaultCollector faults, String field, SinkSetting setting, Optional<Object> value) {
        if (value.isEmpty()) {
            faults.unless(!setting.required(), field, "", "it is required: " + setting.rule());
            return;
        }
        String text = value.get().toString();
        if (setting.secret()) {
            FetchDefinitionRules.secret(faults, field, text);
        } else if (value.get() instanceof Map || value.get() instanceof List) {
            faults.unless(false, field, text, "a text");
        } else {
            faults.unless(setting.valid().test(text), field, Hidden.userInfo(text), setting.rule());
        }
    }

    private static void names(FaultCollector faults, String at, List<String> names) {
        faults.unless(names.size() <= MOST_NAMES, at, names.size(), "at most " + MOST_NAMES);
        for (int i = 0; i < Math.min(names.size(), MOST_NAMES); i++) {
            String name = names.get(i);
            faults.unless(!name.isBlank() && name.length() <= LONGEST && names.indexOf(name) == i, at + "[" + i + "]",
                    name, "a name of at most " + LONGEST + " characters that is not empty and not in the list before");
        }
    }
}
