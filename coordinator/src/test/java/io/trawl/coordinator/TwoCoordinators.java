package io.trawl.coordinator;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.api.Counts;
import io.trawl.codec.Json;
import io.trawl.control.CrawlState;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisModuleStore;
import io.trawl.testkit.Expulsion;
import io.trawl.testkit.FreePort;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.TestServers;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.GroupState;

/**
 * Two coordinators, each a JVM of its own, one of which can be killed while it is held in a transition. There are no
 * workers.
 */
final class TwoCoordinators implements AutoCloseable {
    private static final MID DOWNLOADER = MID.parse("D1|127.0.0.1:9");
    private final Path folder;
    private final KafkaFixture fixture = new KafkaFixture();
    private final RedisModuleStore modules = RedisModuleStore.connect(RedisServers.at(TestServers.shared().redisUrl()),
            fixture.topics().namespace(), Time.system());
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Member> members = new ArrayList<>();

    /** A process and the port on which it answers. */
    record Member(Process process, int port) {}

    /** A response. */
    record Answer(int status, String body) {}

    /** @param folder for the files that hold them, and for their output */
    TwoCoordinators(Path folder) {
        this.folder = folder;
    }

    /** Starts both. */
    void begin() throws IOException {
        start();
        start();
        awaitLeader();
    }

    private void start() throws IOException {
        int port = FreePort.find();
        members.add(new Member(HeldCoordinator.start(folder,
                Map.of("trawl.kafka.bootstrap-servers", fixture.settings().kafka().bootstrapServers(),
                        "trawl.redis.url", fixture.settings().redis().url(), "trawl.namespace",
                        fixture.topics().namespace(), "trawl.lease", "3s", "trawl.http.port", Integer.toString(port))),
                port));
    }

    /**
     * Waits until both give answers that need a leader: a new member may become the leader until the group is stable.
     */
    private void awaitLeader() {
        String group = fixture.topics().coordinatorGroup();
        try (Admin admin = fixture.kafka().admin()) {
            await().ignoreException(ExecutionException.class).until(() -> {
                var described = requireNonNull(admin.describeConsumerGroups(List.of(group)).all().get().get(group));
                return described.members().size() == members.size() && described.groupState() == GroupState.STABLE;
            });
        }
        for (Member member : List.copyOf(members)) {
            await().ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> ask(member, "POST", "/api/v1/crawls/none/start", "").status() == 404);
        }
        await().until(() -> leaders().size() == 1);
    }

    /** Both. */
    List<Member> members() {
        return members;
    }

    private List<Member> leaders() throws IOException, InterruptedException {
        List<Member> leaders = new ArrayList<>();
        for (Member member : members) {
            if (Json.mapper().readTree(ask(member, "GET", "/summary", "").body()).path("state").path("phase").asText()
                    .equals("leading")) {
                leaders.add(member);
            }
        }
        return leaders;
    }

    Answer ask(Member at, String method, String path, String body) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at.port() + path)).timeout(TestTimeouts.LIMIT)
                        .header("Content-Type", "application/json")
                        .method(method, HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }

    /** The state of a crawl, as either reports it. */
    CrawlState state(String crawl) throws IOException, InterruptedException {
        Answer answer = ask(members.getFirst(), "GET", "/api/v1/crawls/" + crawl, "");
        return answer.status() == 404
                ? CrawlState.UNINITIALIZED
                : CrawlState.valueOf(Json.mapper().readTree(answer.body()).path("state").asText());
    }

    /** A crawl, as either reports it. */
    JsonNode crawl(String crawl) throws IOException, InterruptedException {
        return Json.mapper().readTree(ask(members.getFirst(), "GET", "/api/v1/crawls/" + crawl, "").body());
    }

    void awaitState(String crawl, CrawlState state) {
        await().ignoreExceptionsInstanceOf(IOException.class).until(() -> state(crawl) == state);
    }

    /** Adds or removes a downloader that never drains for a stop sign. */
    void hangingDownloader(boolean there) {
        if (there) {
            modules.registrar().register(new Registration(DOWNLOADER, 0, new Counts(0, 0, 0, 0, 0, 0), Instant.EPOCH,
                    Map.of(), Phase.RUNNING), Duration.ofMinutes(5));
        } else {
            modules.registrar().unregister(DOWNLOADER);
        }
    }

    /** Holds each coordinator before it writes this state. */
    void hold(String state) throws IOException {
        Files.createFile(HeldCoordinator.hold(folder, state));
    }

    /** Waits until a coordinator is held. */
    void awaitHeld(String state) {
        await().until(() -> Files.exists(HeldCoordinator.held(folder, state)));
    }

    /** Holds none before it writes this state any more. */
    void release(String state) throws IOException {
        Files.delete(HeldCoordinator.hold(folder, state));
        Files.delete(HeldCoordinator.held(folder, state));
    }

    /** {@code kill -9} to the held leader, whose session ends at once; later calls go to the other coordinator. */
    void killHeld(String state) throws IOException, InterruptedException {
        Member leader = leaders().getFirst();
        leader.process().destroyForcibly().waitFor();
        try (Admin admin = fixture.kafka().admin()) {
            Expulsion.of(fixture.topics().coordinatorGroup(), member -> member.clientId().endsWith("-" + leader.port()),
                    admin);
        }
        release(state);
        members.remove(leader);
        assertThat(members).hasSize(1);
    }

    /** Starts a coordinator that replaces the killed one. */
    void replace() throws IOException {
        start();
        awaitLeader();
    }

    @Override
    public void close() {
        members.forEach(member -> member.process().destroyForcibly());
        modules.close();
        http.close();
    }
}
