package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.testkit.ContainerEngine;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.LinkGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The compose file as people use it, on images of this build. Skipped, with the reason, where no container engine
 * answers or an image that the build cannot create is missing; {@code -Dtrawl.containers=required} makes that a
 * failure.
 */
@Tag("containers")
class ComposeIT {
    private static final int PAGES = 400;
    private static final int DEPTH = 8;
    private static final List<String> NAMES = IntStream.range(0, 12).mapToObj(i -> "site" + i + ".test").toList();
    private static final List<String> STAGES = List.of("downloader", "analyzer", "pipeline");
    @TempDir
    private static Path folder;

    @BeforeAll
    static void containers() throws IOException {
        ComposeStack.demand();
    }

    @Test
    void whileStagesAreScaledAndOneContainerOfEachIsKilledTheOutputIsExactAndTheEndIsKnown() throws Exception {
        try (FakeWeb web = FakeWeb.startNamed(ComposeStack.reachableAddress(), NAMES);
                ComposeStack stack = new ComposeStack(folder, ComposeStack.downloaderThatKnows(NAMES),
                        Map.of("TRAWL_ALLOW_NETWORK", "172.16.0.0/12,192.168.0.0/16"))) {
            LinkGraph graph = LinkGraph.serve(web, PAGES, 4, 6);
            CountDownLatch killed = new CountDownLatch(1);
            web.hosts().stream().filter(host -> !graph.url(0).contains(host.name())).findFirst().orElseThrow()
                    .hold(killed);
            stack.compose("up", "-d");
            answer(stack, () -> stack.ask("PUT", "/api/v1/crawls/compose?start=true", definition(graph)));
            List<String> seeds = new ArrayList<>(List.of(graph.url(0)));
            if (kcat()) {
                List.of(graph.url(1), graph.url(2)).forEach(seeds::add);
                stack.seedByKcat(
                        "{\"crawl\":\"compose\",\"url\":\"%s\"}\n{\"crawl\":\"compose\",\"url\":\"%s\",\"priority\":2}\n"
                                .formatted(graph.url(1), graph.url(2)));
            }
            scaleToTwo(stack);
            STAGES.forEach(stack::kill);
            stack.kill("coordinator");
            scaleToTwo(stack);
            await(stack, "an answer", () -> stack.crawl("compose").isPresent());
            assertThat(stack.crawl("compose").flatMap(CrawlSummary::end)).as("the kills must precede the end")
                    .isEmpty();
            killed.countDown();
            await(stack, "two of each process", () -> modules(stack).size() == 8);
            assertThat(modules(stack)).as("each is registered under its container's own address")
                    .doesNotHaveDuplicates().noneMatch(address -> address.contains("127.0.0.1"));
            await(stack, "the end", () -> stack.crawl("compose")
                    .filter(crawl -> crawl.state() == CrawlState.STOPPED && crawl.end().isPresent()).isPresent());

            CrawlSummary end = stack.crawl("compose").orElseThrow();
            assertThat(end.end()).map(End::reason).contains(EndReason.FINISHED);
            GraphChecks.output(graph, seeds, DEPTH, stack.output(folder, "compose-1"));
            endsCleanly(stack);
        }
    }

    /** Starts what is missing to two of each, whether it never ran or was killed. */
    private static void scaleToTwo(ComposeStack stack) {
        stack.compose("up", "-d", "--no-recreate", "--scale", "downloader=2", "--scale", "analyzer=2", "--scale",
                "pipeline=2", "--scale", "standby=1");
    }

    private static void endsCleanly(ComposeStack stack) {
        List<String> running = new ArrayList<>(stack.containers("coordinator"));
        STAGES.forEach(stage -> running.addAll(stack.containers(stage)));
        stack.compose("stop", "coordinator", "downloader", "analyzer", "pipeline");
        assertThat(running).hasSize(7).allSatisfy(container -> {
            assertThat(ComposeStack.inspect(container, "{{.State.ExitCode}}")).as("exit status after SIGTERM")
                    .isEqualTo("0");
            assertThat(ComposeStack.inspect(container, "{{.Config.User}} {{.HostConfig.ReadonlyRootfs}}"))
                    .isEqualTo("65532:65532 true");
        });
    }

    private static String definition(LinkGraph graph) {
        return "{\"seeds\": [{\"url\": \"%s\"}], \"limits\": {\"depth\": %d}, \"fetch\": {\"delay\": \"700ms\"}, \"scope\": {\"domains\": [\"%s\"]}}"
                .formatted(graph.url(0), DEPTH, String.join("\",\"", graph.domains()));
    }

    /** The addresses of all live modules. */
    private static List<String> modules(ComposeStack stack) throws InterruptedException {
        Optional<JsonNode> modules = stack.ask("GET", "/api/v1/modules", "");
        return modules.stream().flatMap(list -> StreamSupport.stream(list.spliterator(), false))
                .map(module -> module.path("mid").asText()).toList();
    }

    private static boolean kcat() {
        try {
            return ContainerEngine.run(List.of("kcat", "-V"), Map.of(), "").status() == 0;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static void answer(ComposeStack stack, Callable<Optional<JsonNode>> question) {
        await(stack, "an answer of the coordinator", () -> question.call().isPresent());
    }

    private static void await(ComposeStack stack, String what, Callable<Boolean> condition) {
        try {
            org.awaitility.Awaitility.await(what).pollInterval(Duration.ofMillis(500)).until(condition);
        } catch (ConditionTimeoutException e) {
            throw new AssertionError(what + " did not happen\n" + stack.printed(), e);
        }
    }
}
