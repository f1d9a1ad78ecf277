package io.trawl.pipeline.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.pipeline.changes.KeyLine.KeyState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;

class RunComparisonTest {
    private static final String PREFIX = "docs";

    /** A run as plain maps. */
    private record PlainRun(Map<String, KeyLine> fates, Map<String, String> digests) {
        static PlainRun of(List<KeyLine> lines) {
            PlainRun run = new PlainRun(new TreeMap<>(), new TreeMap<>());
            for (KeyLine line : lines) {
                if (line.state() == KeyState.STORED) {
                    run.digests.merge(line.key(), line.digest(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
                } else {
                    run.fates.merge(line.page(), line, (a, b) -> a.toString().compareTo(b.toString()) <= 0 ? a : b);
                }
            }
            return run;
        }

        Optional<KeyLine> fate(String key) {
            return Optional.ofNullable(fates.get(key.substring(0, 20)));
        }

        boolean has(String page) {
            return digests.keySet().stream().anyMatch(key -> key.startsWith(page));
        }

        /** How a key differs in a later run; empty if it does not. */
        Optional<ChangeKind> changed(String key, PlainRun now) {
            if (now.digests.containsKey(key)) {
                return !digests.containsKey(key)
                        ? Optional.of(fate(key).filter(KeyLine::away).filter(_ -> !has(key.substring(0, 20)))
                                .map(_ -> ChangeKind.BACK).orElse(ChangeKind.NEW))
                        : Optional.of(now.digests.get(key).equals("d1") ? ChangeKind.TOUCHED : ChangeKind.CHANGED)
                                .filter(_ -> !now.digests.get(key).equals(digests.get(key)));
            }
            return Optional.of(now.has(key.substring(0, 20))
                    ? ChangeKind.GONE
                    : now.fate(key).map(fate -> ChangeKind.valueOf(fate.state().name())).orElse(ChangeKind.UNLINKED));
        }
    }

    @Provide
    Arbitrary<List<KeyLine>> runs() {
        return Combinators.combine(Arbitraries.integers().between(0, 7), Arbitraries.integers().between(0, 3),
                Arbitraries.frequency(Tuple.of(5, KeyState.STORED), Tuple.of(1, KeyState.FAILED),
                        Tuple.of(1, KeyState.GONE), Tuple.of(1, KeyState.MOVED)),
                Arbitraries.integers().between(0, 1)).as((page, part, state, digest) -> {
                    boolean item = state == KeyState.STORED;
                    return new KeyLine("%020x%020x".formatted(page, item ? part : 0), state, item ? "d" + digest : "-",
                            "id" + digest, told(state, digest), item ? "item " + part : "-", "http://h/" + page);
                }).list().ofMaxSize(60);
    }

    /** What visits have said of some pages that moved, and of the items of others. */
    private static String told(KeyState state, int digest) {
        return digest == 0 ? "-" : state == KeyState.MOVED ? "moved" : state == KeyState.STORED ? "touched" : "-";
    }

    private static LineSorter sorter(int memory) throws IOException {
        return new LineSorter(Path.of(System.getProperty("java.io.tmpdir")).resolve(PREFIX + UUID.randomUUID()),
                memory);
    }

    private static LineSorter sorted(List<KeyLine> lines, int memory) throws IOException {
        LineSorter sorter = sorter(memory);
        for (KeyLine line : lines) {
            sorter.add(line.toString());
        }
        return sorter;
    }

    @Property
    void theChangesAreThoseOfPlainMapsHoweverLittleMemoryThereIs(@ForAll("runs") List<KeyLine> older,
            @ForAll("runs") List<KeyLine> newer, @ForAll @IntRange(min = 1, max = 3000) int memory) throws IOException {
        List<RunChange> changes = new ArrayList<>();
        ChangeCounts counts;
        try (LineSorter before = sorted(older, memory); LineSorter now = sorted(newer, memory)) {
            counts = RunComparison.of(1, before.sorted(), now.sorted(), changes::add);
        }
        PlainRun before = PlainRun.of(older);
        PlainRun now = PlainRun.of(newer);
        Set<String> keys = Stream.concat(before.digests().keySet().stream(), now.digests().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, ChangeKind> expected = new TreeMap<>();
        keys.forEach(key -> before.changed(key, now).ifPresent(change -> expected.put(key, change)));
        assertThat(changes.stream().collect(Collectors.toMap(RunChange::key, RunChange::change))).isEqualTo(expected);
        assertThat(changes).allMatch(change -> change.name().equals(Optional.of("item " + change.key().substring(39))));
        Map<ChangeKind, Long> each = new EnumMap<>(ChangeKind.class);
        expected.values().forEach(change -> each.merge(change, 1L, Long::sum));
        assertThat(counts).isEqualTo(ChangeCounts.of(1, each, keys.size() - expected.size()));
    }

    @Property
    void aPageIsWhatItWasUnlessARefreshHasStoredItOrSaysThatItIsGone(@ForAll("runs") List<KeyLine> older,
            @ForAll("runs") List<KeyLine> visited) throws IOException {
        Set<String> expected = new TreeSet<>();
        Stream.concat(older.stream(), visited.stream()).map(KeyLine::page).distinct().forEach(page -> {
            Set<String> before = lines(older, page);
            Set<String> now = lines(visited, page);
            boolean told = now.stream().anyMatch(line -> line.contains("\tstored\t") || line.contains("\tgone\t")
                    || line.contains("\tmoved\t-\thttp"));
            boolean stored = before.stream().anyMatch(line -> line.contains("\tstored\t"));
            expected.addAll(told || !stored && !now.isEmpty() ? now : before);
        });
        List<String> present = new ArrayList<>();
        try (LineSorter before = sorted(older, 1000); LineSorter now = sorted(visited, 1000)) {
            PresentKeys keys = new PresentKeys(before.sorted(), now.sorted());
            for (Optional<String> line = keys.next(); line.isPresent(); line = keys.next()) {
                present.add(line.get());
            }
        }
        assertThat(present).as("in order").isEqualTo(List.copyOf(expected));
    }

    private static Set<String> lines(List<KeyLine> lines, String page) {
        return lines.stream().filter(line -> line.page().equals(page)).map(KeyLine::toString)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Property
    void linesAreSortedOnceEachInAsManyPassesAsTheyAreAskedFor(@ForAll List<@AlphaChars String> lines,
            @ForAll @IntRange(min = 1, max = 500) int memory) throws IOException {
        try (LineSorter sorter = sorter(memory)) {
            for (String line : lines) {
                sorter.add(line);
            }
            for (int pass = 0; pass < 2; pass++) {
                List<String> sorted = new ArrayList<>();
                LineSorter.SortedLines all = sorter.sorted();
                for (Optional<String> line = all.next(); line.isPresent(); line = all.next()) {
                    sorted.add(line.get());
                }
                assertThat(sorted).isEqualTo(List.copyOf(new TreeSet<>(lines)));
            }
        }
    }

    @Example
    void theTemporaryFileIsGoneWhenTheSorterIsClosed() throws IOException {
        Path folder = Files.createTempDirectory(PREFIX);
        try (LineSorter sorter = new LineSorter(folder.resolve("sorted"), 10)) {
            for (int i = 0; i < 1000; i++) {
                sorter.add("line " + i % 300);
            }
            Set<String> seen = new HashSet<>();
            LineSorter.SortedLines all = sorter.sorted();
            for (Optional<String> line = all.next(); line.isPresent(); line = all.next()) {
                assertThat(seen.add(line.get())).isTrue();
            }
            assertThat(seen).hasSize(300);
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Example
    void whatAPageHasOfEachItemIsCountedByKey() throws IOException {
        List<KeyLine> older = List.of(line(1, 1, KeyState.STORED, "a"), line(1, 2, KeyState.STORED, "a"));
        List<KeyLine> newer = List.of(line(1, 0, KeyState.GONE, "-"));
        List<RunChange> changes = new ArrayList<>();
        try (LineSorter before = sorted(older, 1); LineSorter now = sorted(newer, 1)) {
            assertThat(RunComparison.of(4, before.sorted(), now.sorted(), changes::add))
                    .isEqualTo(new ChangeCounts(4, 0, 0, 0, 0, 2, 0, 0, 0, 0));
        }
        assertThat(changes).allMatch(change -> change.url().equals("http://h/1") && change.id().isPresent());
    }

    private static KeyLine line(int page, int part, KeyState state, String digest) {
        return new KeyLine("%020x%020x".formatted(page, part), state, digest, "id", "-", "-", "http://h/" + page);
    }
}
