package io.trawl.pipeline.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.codec.Json;
import io.trawl.direct.DiffListing;
import io.trawl.direct.DiffListing.ListedChange;
import io.trawl.ledger.ItemId;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.pipeline.manifest.EndedRun;
import io.trawl.pipeline.manifest.ManifestWriter;
import io.trawl.pipeline.read.ComparedFiles;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.SinkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A run from the seeds, and two refreshes of it. */
class RunDiffTest {
    private static final CrawlId DOCS = new CrawlId("docs");
    @TempDir
    private Path out;

    @BeforeEach
    void threeRuns() throws Exception {
        run(1, item(1, "/a", "One way", ""), item(1, "/b", "Ü, one", ""));
        run(2, item(2, "/b", "Ü, two", "changed"), item(2, "/c", "New", "new"));
        Files.writeString(
                Files.createDirectories(out.resolve("errors/docs-3")).resolve("part-00-00000000000000000000.jsonl"),
                item(3, "/b", "", "unchanged"));
        run(3, item(3, "/a", "Another way", "changed"));
    }

    private static String item(int epoch, String path, String text, String change) {
        String url = "http://h" + path;
        return "{\"id\":\"i" + epoch + "\",\"key\":\"" + ItemId.key(DOCS, url) + "\",\"url\":\"" + url
                + "\",\"status\":200,\"text\":\"" + text + "\""
                + (change.isEmpty() ? "" : ",\"change\":\"" + change + "\"") + "}\n";
    }

    private void run(int epoch, String... lines) throws Exception {
        Path folder = Files.createDirectories(out.resolve("items/docs-" + epoch));
        Files.writeString(folder.resolve("part-00-00000000000000000000.jsonl"), String.join("", lines));
        new ManifestWriter(new SinkFolder(out, "a1"), FaultPoint.NONE).write(
                new EndedRun(new CrawlRun(DOCS, epoch), Instant.parse("2026-11-2" + epoch + "T10:00:00Z"),
                        epoch == 1 ? Optional.empty() : Optional.of(new CrawlRun(DOCS, epoch - 1))),
                ComparedFiles.of(List.of()));
    }

    private RunDiff since(Object... since) throws IOException {
        return RunDiff.of(out, DOCS, Optional.empty(), Stream.of(since).map(Object::toString).findFirst());
    }

    @Test
    void listsWhatTheNewestRunHasChangedOrAllRunsSinceOne() throws Exception {
        DiffListing newest = since().list(Optional.empty(), 10);
        assertThat(newest.changes()).extracting(ListedChange::epoch, ListedChange::change, ListedChange::url)
                .containsExactly(org.assertj.core.api.Assertions.tuple(3, "changed", "http://h/a"));
        assertThat(newest.since()).isEqualTo(2);
        assertThat(newest.runs()).extracting(run -> run.epoch() + " since " + run.since()).containsExactly("3 since 2",
                "2 since 1");
        assertThat(newest.runs().getLast().counts()).containsEntry("changed", 1L).containsEntry("new", 1L)
                .containsEntry("gone", 0L);
        assertThat(newest.next()).isEmpty();
        DiffListing all = since(1).list(Optional.empty(), 10);
        assertThat(all.changes()).extracting(change -> change.epoch() + change.change() + change.url())
                .containsExactly("2changedhttp://h/b", "2newhttp://h/c", "3changedhttp://h/a");
        assertThat(all.since()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"2026-11-21T10:00:00Z, 1", "2026-11-22, 1", "2026-11-22T09:59:59Z, 1", "2026-11-22T11:00+01:00, 2",
            "2026-11-23, 2", "2026-11-23T10:00Z, 3", "2027-01-01, 3", "3, 3", "4, 3"})
    void changesSinceATimeAreThoseSinceTheLastRunThatHadEndedByThen(String time, int run) throws Exception {
        DiffListing found = since(time).list(Optional.empty(), 10);
        assertThat(found.since()).isEqualTo(run);
        assertThat(found.changes()).extracting(ListedChange::epoch)
                .containsExactlyElementsOf(List.of(2, 2, 3).stream().filter(epoch -> epoch > run).toList());
        assertThat(found.runs()).hasSize(2);
    }

    @Test
    void aPageIsComparedWithTheVersionThatThereWasAtATime() throws Exception {
        assertThat(since("2026-11-22").page("http://h/b", () -> false).getFirst().lines())
                .contains("    Ü, [-one-]{+two+}");
        assertThat(since("2026-11-23").page("http://h/b", () -> false).getFirst().fields()).isEmpty();
        assertThat(since("2026-11-24").page("http://h/a", () -> false).getFirst().fields()).isEmpty();
    }

    @Test
    void whatIsNeitherARunNorATimeIsRefused() {
        assertThatThrownBy(() -> since("yesterday")).isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("since: 'yesterday' is not valid").hasMessageContaining("2026-01-31");
    }

    @Test
    void changesSinceATimeOfWhichTheFilesAreGoneAreNotGuessed() throws Exception {
        Files.move(out.resolve("items/docs-1"), out.resolve("elsewhere"));
        assertThatThrownBy(() -> since("2026-11-22")).isInstanceOf(MissingRunException.class).hasMessageContaining(
                "docs-1 is not there any more, so when run 1 ended is not known; what has changed since that run is");
        assertThat(since(1).list(Optional.empty(), 10).changes()).hasSize(3);
        assertThat(since("2026-11-22T10:00:00Z").since()).isEqualTo(2);
        assertThatThrownBy(() -> since(1).page("http://h/b", () -> false)).isInstanceOf(MissingRunException.class)
                .hasMessageContaining("so what was in run 1 is not known");
    }

    @Test
    void aCursorContinuesWhereverTheListHasEnded() throws Exception {
        for (int most = 1; most <= 4; most++) {
            List<ListedChange> found = new ArrayList<>();
            Optional<String> cursor = Optional.empty();
            do {
                DiffListing page = since(1).list(cursor, most);
                assertThat(page.changes()).hasSizeBetween(1, most);
                found.addAll(page.changes());
                cursor = page.next();
            } while (cursor.isPresent());
            assertThat(found).isEqualTo(since(1).list(Optional.empty(), 10).changes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3:x", "2:0", "9:0", "3:1", "3:999999"})
    void aCursorThatNamesNoChangeOfTheListIsRefused(String cursor) {
        assertThatThrownBy(() -> since().list(Optional.of(cursor), 1)).isInstanceOf(InvalidValueException.class)
                .hasMessageContaining("cursor: '" + cursor + "' is not valid");
    }

    @Test
    void aPageIsComparedWithTheRunThatHasStoredItLast() throws Exception {
        assertThat(since().page("http://h/a", () -> false)).singleElement()
                .satisfies(page -> assertThat(Json.text(page.fields())).isEqualTo(
                        "{\"text\":{\"before\":\"One way\",\"now\":\"Another way\",\"words\":[\"[-One-]{+Another+} way\"]}}"));
        assertThat(since().page("http://h/b", () -> false)).as("it has not changed in run 3").singleElement()
                .satisfies(page -> assertThat(page.fields()).isEmpty());
        assertThat(since(1).page("http://h/b", () -> false).getFirst().lines()).contains("    Ü, [-one-]{+two+}");
    }

    @Test
    void whatIsNotThereIsNamed() throws Exception {
        assertThatThrownBy(() -> since().page("http://h/none", () -> false)).isInstanceOf(MissingRunException.class)
                .hasMessageContaining("http://h/none is in neither run");
        assertThatThrownBy(() -> since().page("http://h/a", () -> true)).isInstanceOf(IOException.class)
                .hasMessageContaining("could not be searched in time");
        assertThatThrownBy(() -> since(0)).isInstanceOf(MissingRunException.class)
                .hasMessageContaining("docs-1 was compared with no other run");
    }
}
