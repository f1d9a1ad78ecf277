package io.trawl.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.control.CrawlState;
import io.trawl.coordinator.TwoCoordinators.Answer;
import io.trawl.coordinator.TwoCoordinators.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The transition table of S7 through REST: coordinators in two JVMs, concurrent callers at each, and leaders that are
 * killed during transitions.
 */
class TransitionsIT {
    private static final int CALLERS = 6;
    private static final String DEFINITION = "{\"seeds\":[{\"url\":\"https://example.org/\"}]}";
    private static final AtomicInteger NEXT = new AtomicInteger();
    @TempDir
    private static Path folder;
    private static TwoCoordinators fleet;

    /** A command: method, suffix of the crawl's path, body. */
    private enum Command {
        DEFINE("PUT", "", DEFINITION), FRESH("PUT", "?fresh=true", DEFINITION), START("POST", "/start",
                ""), STOP("POST", "/stop", ""), DELETE("DELETE", "", "");

        private final String method;
        private final String path;
        private final String body;

        Command(String method, String path, String body) {
            this.method = method;
            this.path = path;
            this.body = body;
        }
    }

    @BeforeAll
    static void start() throws IOException {
        fleet = new TwoCoordinators(folder);
        fleet.begin();
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    /** {@code one}: the status that one of the callers gets, {@code others}: the status of all others. */
    @ParameterizedTest(name = "{0}: {1} is answered {2} once and {3} else, then it is {4}")
    @CsvSource({"UNINITIALIZED, DEFINE, 201, 200, INITIALIZED", "UNINITIALIZED, FRESH,  201, 200, INITIALIZED",
            "UNINITIALIZED, START,  404, 404, UNINITIALIZED", "UNINITIALIZED, STOP,   404, 404, UNINITIALIZED",
            "UNINITIALIZED, DELETE, 404, 404, UNINITIALIZED", "INITIALIZED,   DEFINE, 200, 200, INITIALIZED",
            "INITIALIZED,   FRESH,  200, 200, INITIALIZED", "INITIALIZED,   START,  200, 409, STARTED",
            "INITIALIZED,   STOP,   409, 409, INITIALIZED", "INITIALIZED,   DELETE, 204, 404, UNINITIALIZED",
            "STARTED,       DEFINE, 200, 200, STARTED", "STARTED,       FRESH,  409, 409, STARTED",
            "STARTED,       START,  409, 409, STARTED", "STARTED,       STOP,   200, 409, STOPPED",
            "STARTED,       DELETE, 409, 409, STARTED", "STOPPING,      DEFINE, 200, 200, STOPPING",
            "STOPPING,      FRESH,  409, 409, STOPPING", "STOPPING,      START,  409, 409, STOPPING",
            "STOPPING,      STOP,   409, 409, STOPPING", "STOPPING,      DELETE, 409, 409, STOPPING",
            "STOPPED,       DEFINE, 200, 200, STOPPED", "STOPPED,       FRESH,  200, 200, INITIALIZED",
            "STOPPED,       START,  200, 409, STARTED", "STOPPED,       STOP,   409, 409, STOPPED",
            "STOPPED,       DELETE, 204, 404, UNINITIALIZED"})
    void theTableHoldsForConcurrentCallers(CrawlState from, Command command, int one, int others, CrawlState then)
            throws Exception {
        String crawl = crawlIn(from);
        try {
            Map<Integer, Long> answers = answers(crawl, command);
            Map<Integer, Long> expected = one == others
                    ? Map.of(one, (long) CALLERS)
                    : Map.of(one, 1L, others, CALLERS - 1L);
            assertThat(answers).isEqualTo(expected);
            fleet.awaitState(crawl, then);
        } finally {
            fleet.hangingDownloader(false);
        }
    }

    @Test
    void aLeaderThatIsKilledDuringEachTransitionLosesNoneAndLeavesNoneIncomplete() throws Exception {
        String crawl = crawlIn(CrawlState.UNINITIALIZED);
        killedAt("INITIALIZED", crawl, Command.DEFINE);
        assertThat(fleet.state(crawl)).as("no caller was told of it").isEqualTo(CrawlState.UNINITIALIZED);
        assertThat(askALeader(fleet.members().getFirst(), crawl, Command.DEFINE).status()).isEqualTo(201);
        assertThat(fleet.crawl(crawl).path("epoch").asInt()).as("it begins once").isOne();
        killedAt("STARTED", crawl, Command.START);
        fleet.awaitState(crawl, CrawlState.STARTED);
        killedAt("STOPPING", crawl, Command.STOP);
        assertThat(fleet.state(crawl)).as("no caller was told that it stops").isEqualTo(CrawlState.STARTED);
        killedAt("STOPPED", crawl, Command.STOP);
        fleet.awaitState(crawl, CrawlState.STOPPED);
        killedAt(HeldCoordinator.DELETED, crawl, Command.DELETE);
        assertThat(fleet.state(crawl)).as("no caller was told that it is deleted").isEqualTo(CrawlState.STOPPED);
        assertThat(askALeader(fleet.members().getFirst(), crawl, Command.DELETE).status()).isEqualTo(204);
        fleet.awaitState(crawl, CrawlState.UNINITIALIZED);
        assertThat(askALeader(fleet.members().getLast(), crawl, Command.DEFINE).body())
                .contains("\"crawl\":\"" + crawl + "\",\"epoch\":2,");
    }

    @Test
    void aChangeOfPartitionsForWhichTheLeaderHasNoTimeIsAnsweredAsAllChangesAre() throws Exception {
        String crawl = crawlIn(CrawlState.INITIALIZED);
        fleet.hold("STARTED");
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            callers.submit(() -> askALeader(fleet.members().getFirst(), crawl, Command.START));
            fleet.awaitHeld("STARTED");
            try {
                Answer answer = fleet.ask(fleet.members().getFirst(), "POST", "/api/v1/queue/resize", "{\"ledger\":9}");
                assertThat(answer.status()).as(answer.body()).isEqualTo(503);
                assertThat(answer.body()).contains("nothing is changed, try again later");
            } finally {
                fleet.release("STARTED");
            }
        }
        fleet.awaitState(crawl, CrawlState.STARTED);
    }

    /**
     * Asks both coordinators until one runs the command and is killed while it does; the test asks that one no more.
     */
    private static void killedAt(String state, String crawl, Command command) throws Exception {
        fleet.hold(state);
        AtomicBoolean reached = new AtomicBoolean();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Member member : fleet.members()) {
                callers.submit(() -> {
                    Answer answer = ask(member, crawl, command);
                    while (answer.status() == 503 && !reached.get()) {
                        answer = ask(member, crawl, command);
                    }
                    return answer;
                });
            }
            fleet.awaitHeld(state);
            reached.set(true);
            fleet.killHeld(state);
        }
        fleet.replace();
    }

    private static String crawlIn(CrawlState state) throws Exception {
        String crawl = "c" + NEXT.incrementAndGet();
        Member any = fleet.members().getFirst();
        if (state == CrawlState.UNINITIALIZED) {
            return crawl;
        }
        assertThat(askALeader(any, crawl, Command.DEFINE).status()).isEqualTo(201);
        if (state != CrawlState.INITIALIZED) {
            assertThat(askALeader(any, crawl, Command.START).status()).isEqualTo(200);
        }
        fleet.hangingDownloader(state == CrawlState.STOPPING);
        if (state == CrawlState.STOPPING || state == CrawlState.STOPPED) {
            assertThat(askALeader(any, crawl, Command.STOP).status()).isEqualTo(200);
        }
        fleet.awaitState(crawl, state);
        return crawl;
    }

    /** Counts of responses by status. */
    private static Map<Integer, Long> answers(String crawl, Command command) throws Exception {
        List<Member> members = fleet.members();
        List<Callable<Answer>> calls = IntStream.range(0, CALLERS)
                .<Callable<Answer>>mapToObj(i -> () -> ask(members.get(i % members.size()), crawl, command)).toList();
        List<Integer> statuses = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Answer> answer : callers.invokeAll(calls)) {
                statuses.add(answer.get().status());
            }
        }
        return statuses.stream().collect(Collectors.groupingBy(status -> status, Collectors.counting()));
    }

    /** Asks until a coordinator leads: after a kill there may be no leader for a while. */
    private static Answer askALeader(Member at, String crawl, Command command) {
        return await().until(() -> ask(at, crawl, command), answer -> answer.status() != 503);
    }

    private static Answer ask(Member at, String crawl, Command command) throws IOException, InterruptedException {
        return fleet.ask(at, command.method, "/api/v1/crawls/" + crawl + command.path, command.body);
    }
}
