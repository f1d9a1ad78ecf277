package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.standalone.e2e.ChangingSite.SiteKind;
import io.trawl.standalone.e2e.ChaosFleet.Kind;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.Output;
import io.trawl.testkit.RandomSeed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Sites of which a twentieth changes from day to day, and processes that refresh them while each kind of them and the
 * broker are killed: what is told is exact, hosts send a tenth of what they sent at first, and a topic that upserts has
 * the present state. {@code -Drefreshes=10} takes more days; {@code -Dtrawl.seed=N} gives other ones.
 */
@Tag("nightly")
class ChangedSitesIT {
    private static final CrawlId CRAWL = new CrawlId("sites");
    private static final int HOSTS = 6;
    private static final SiteKind SITE = new SiteKind(Integer.getInteger("pages", 400), 540, 0.05, 0.01, 1);
    private static final int REFRESHES = Integer.getInteger("refreshes", 3);
    private static final String TOPIC = "sites.present";
    private static final Map<String, String> SETTINGS = Map.of("TRAWL_DOWNLOADER_BACK_OFF", "100ms", "TRAWL_GRACE",
            "10s", "TRAWL_DOWNLOADER_LEASE", "4s");
    private final Random random = new Random(RandomSeed.value());

    @Test
    void eachRefreshIsExactAndTakesATenthOfTheBytesAndTheTopicHasThePresentStateWhateverIsKilled() throws Exception {
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target", "chaos").toAbsolutePath()),
                RandomSeed.value() + "-");
        try (FakeWeb web = FakeWeb.start(HOSTS); ChaosFleet fleet = new ChaosFleet(folder, 2, SETTINGS)) {
            Map<String, ChangingSite> sites = new TreeMap<>();
            web.hosts().forEach(host -> sites.put(host.url(""), new ChangingSite(host, SITE, random)));
            sites.values().forEach(ChangingSite::serve);
            CrawlDefinition definition = definition(sites.keySet());
            fleet.ask(client -> client.define(CRAWL, definition, NewRun.NONE));
            ended(fleet, 1);
            long whole = sent(sites);
            assertThat(told(fleet, 1)).hasSize(HOSTS * (SITE.pages() + 1));
            for (int day = 2; day <= REFRESHES + 1; day++) {
                Map<String, String> expected = new TreeMap<>();
                sites.forEach((url, site) -> site.nextDay().forEach((path, told) -> expected.put(url + path, told)));
                sites.values().forEach(ChangingSite::serve);
                long before = sent(sites);
                int seen = web.visits().size();
                fleet.ask(client -> client.define(CRAWL, definition, NewRun.REFRESH));
                kills(fleet, web, seen);
                JsonNode counts = ended(fleet, day);
                assertThat(told(fleet, day)).as("day %d", day).isEqualTo(expected);
                Map<String, String> there = sites.values().stream().flatMap(site -> site.present().entrySet().stream())
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
                assertThat(counts(counts)).as("counts of day %d", day).isEqualTo(counted(expected, there.size()));
                assertThat(sent(sites) - before).as("bytes on day %d", day).isLessThanOrEqualTo(whole / 10);
                System.out.println("day " + day + ": " + counts + ", "
                        + Math.round(1000.0 * (sent(sites) - before) / whole) / 10.0 + " % of the bytes");
                assertThat(present(fleet)).as("the topic on day %d", day).isEqualTo(there);
            }
        }
    }

    /** What a manifest counts, but for zeros. */
    private static Map<String, Long> counts(JsonNode changes) {
        Map<String, Long> counts = new TreeMap<>();
        changes.fieldNames().forEachRemaining(change -> counts.put(change, changes.path(change).asLong()));
        counts.remove("since");
        counts.values().removeIf(count -> count == 0);
        return counts;
    }

    /**
     * @param there how many pages there are: those that are not told anything of are unchanged, also if missing once
     */
    private static Map<String, Long> counted(Map<String, String> told, int there) {
        Map<String, Long> counts = ChangingSite.counted(told);
        long other = Stream.of("new", "changed", "touched", "back").mapToLong(kind -> counts.getOrDefault(kind, 0L))
                .sum();
        counts.put(ChangingSite.UNCHANGED, there - other);
        return counts;
    }

    private static CrawlDefinition definition(Iterable<String> sites) {
        List<String> seeds = new ArrayList<>();
        sites.forEach(url -> seeds.add(url + ChangingSite.HOME));
        return Json.read("""
                {"seeds": %s, "fetch": {"delay": "40ms"}, "refresh": {"unchanged": true},
                 "sinks": [{"type": "jsonl"}, {"type": "kafka",
                            "settings": {"topic": "%s", "write": "upsert", "gone": "delete"}}]}"""
                .formatted(Json.text(seeds), TOPIC).getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
    }

    private static long sent(Map<String, ChangingSite> sites) {
        return sites.values().stream().mapToLong(ChangingSite::sent).sum();
    }

    /** Kills one process of each kind, and the broker, at random moments of a run. @param seen requests before it */
    private void kills(ChaosFleet fleet, FakeWeb web, int seen) throws Exception {
        List<Optional<Kind>> victims = new ArrayList<>(Stream.of(Kind.values()).map(Optional::of).toList());
        victims.add(Optional.empty());
        Collections.shuffle(victims, random);
        List<Integer> moments = random.ints(victims.size(), 0, HOSTS * SITE.pages()).sorted().boxed().toList();
        for (int i = 0; i < victims.size(); i++) {
            int moment = seen + moments.get(i);
            Awaitility.await().until(() -> web.visits().size() >= moment);
            Optional<Kind> victim = victims.get(i);
            System.out.println("after " + moments.get(i) + " requests: "
                    + (victim.isPresent() ? fleet.kill(victim.get(), random) : fleet.killBroker()));
        }
    }

    /** Waits for the end of a run and its manifest. @return how many of each change it counts */
    private static JsonNode ended(ChaosFleet fleet, int day) throws IOException {
        CrawlSummary end = Awaitility.await().until(() -> {
            fleet.checkRunning();
            return fleet.ask(client -> client.crawl(CRAWL).orElseThrow());
        }, crawl -> crawl.run().epoch() == day && crawl.end().isPresent());
        assertThat(end.end()).as(end.toString()).map(End::reason).contains(EndReason.FINISHED);
        Path items = fleet.out().resolve("items").resolve(CRAWL + "-" + day);
        Awaitility.await().until(() -> Files.exists(items.resolve("_SUCCESS")));
        return Json.mapper().readTree(items.resolve("_manifest.json").toFile()).path("changes");
    }

    /** What a run tells of each page, by URL; fails if something is there twice. */
    private static Map<String, String> told(ChaosFleet fleet, int day) {
        Output output = new Output(fleet.out(), CRAWL + "-" + day);
        Map<String, String> told = new TreeMap<>();
        Stream.of(output.pages(), output.errors()).flatMap(lines -> lines.entrySet().stream())
                .forEach(line -> assertThat(told.put(line.getKey(),
                        line.getValue().path("change").asText(line.getValue().path("status").asText())))
                        .as("told before of %s", line.getKey()).isNull());
        return told;
    }

    /** By URL how the text of the newest item of each key ends. */
    private static Map<String, String> present(ChaosFleet fleet) throws IOException {
        Map<String, JsonNode> newest = new HashMap<>();
        SinkOutputs.records(fleet.bootstrapServers(), TOPIC).forEach(record -> {
            if (record.value() == null) {
                newest.remove(record.key());
            } else {
                newest.put(record.key(), Json.read(record.value(), JsonNode.class));
            }
        });
        return newest.values().stream().collect(Collectors.toMap(item -> item.path("url").asText(),
                item -> ChangingSite.ending(item.path("text").asText())));
    }
}
