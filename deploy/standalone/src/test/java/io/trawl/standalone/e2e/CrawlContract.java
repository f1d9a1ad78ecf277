package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.codec.Json;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.model.CrawlId;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import io.trawl.testkit.Output;
import io.trawl.testkit.SmallSite;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of every fleet, in one JVM or in many processes: the output of a known web is exactly the expected set,
 * within its limits. One fleet serves all tests.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class CrawlContract {
    private static final String GRAPH = "{\"seeds\": [{\"url\": \"%s\"}], \"limits\": {\"depth\": %d%s}, \"fetch\": {\"delay\": \"0ms\"}, \"scope\": {\"domains\": [\"%s\"]}}";
    @TempDir
    private static Path folder;
    private RunningFleet fleet;

    /** Starts the fleet. */
    abstract RunningFleet start(Path folder) throws Exception;

    /** The fleet of this class. */
    RunningFleet fleet() {
        return fleet;
    }

    @BeforeAll
    void startFleet() throws Exception {
        fleet = start(folder);
    }

    @AfterAll
    void stopFleet() throws Exception {
        fleet.close();
    }

    static CrawlDefinition definition(String json, Object... values) {
        return Json.read(json.formatted(values).getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
    }

    static CrawlDefinition graph(LinkGraph graph, int depth, String more) {
        return definition(GRAPH, graph.url(0), depth, more, String.join("\",\"", graph.domains()));
    }

    Output output(String crawl) {
        return new Output(fleet.out(), crawl + "-1");
    }

    /** Defines and starts a crawl, and waits for its end. */
    CrawlSummary crawl(String crawl, CrawlDefinition definition) {
        await().ignoreExceptionsMatching(CoordinatorUnavailableException.class::isInstance).until(() -> {
            fleet.checkRunning();
            fleet.client().define(new CrawlId(crawl), definition, false);
            return true;
        });
        return awaitEnd(crawl);
    }

    CrawlSummary awaitEnd(String crawl) {
        AtomicReference<CrawlSummary> last = new AtomicReference<>();
        try {
            await().ignoreExceptionsMatching(CoordinatorUnavailableException.class::isInstance).until(() -> {
                fleet.checkRunning();
                last.set(fleet.client().crawl(new CrawlId(crawl)).orElseThrow());
                return last.get().state() == CrawlState.STOPPED && last.get().end().isPresent();
            });
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            throw new AssertionError("no end: " + last.get() + "\n" + fleet.printed(), e);
        }
        return last.get();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void theOutputOfTheSmallSiteIsExactlyTheExpectedSetAtEveryDepth(int depth) {
        try (FakeWeb web = FakeWeb.start(2)) {
            SmallSite site = SmallSite.serve(web);
            List<String> again = site.homeAgain();
            CrawlSummary summary = crawl("small" + depth, definition(
                    """
                            {"seeds": [{"url": "%s"}, {"url": "%s"}, {"url": "%s"}, {"url": "%s"}, {"url": "%s"}], "limits": {"depth": %d}, "fetch": {"delay": "0ms"}}""",
                    site.home(), again.get(0), again.get(1), again.get(2), site.home(), depth));

            SmallSiteChecks checks = new SmallSiteChecks(site, depth, output("small" + depth));
            checks.output();
            checks.summary(summary);
            checks.visits(web);
        }
    }

    @Test
    void aCrawlStopsAtItsLimitsAndHigherOnesResumeIt() {
        try (FakeWeb web = FakeWeb.start(4)) {
            LinkGraph graph = LinkGraph.serve(web, 200, 6, 7);
            CrawlSummary bytes = crawl("limit", graph(graph, 20, ", \"maxBytes\": 200"));
            assertThat(bytes.end()).map(End::reason).contains(EndReason.BYTE_LIMIT);
            assertThat(bytes.totals().pages()).as("the first page has more, and is the only one in flight").isOne();

            CrawlSummary limited = crawl("limit", graph(graph, 20, ", \"maxPages\": 20"));

            assertThat(limited.end()).map(End::reason).contains(EndReason.PAGE_LIMIT);
            assertThat(limited.totals().waiting()).isPositive();
            assertThat(output("limit").pages().size()).isEqualTo((int) limited.totals().pages()).isEqualTo(20);

            CrawlSummary whole = crawl("limit", graph(graph, 20, ", \"maxPages\": 100000"));
            assertThat(whole.end()).map(End::reason).contains(EndReason.FINISHED);
            GraphChecks.output(graph, List.of(graph.url(0)), 20, output("limit"));
        }
    }
}
