package io.trawl.coordinator.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import io.trawl.api.Counts;
import io.trawl.codec.Json;
import io.trawl.coordinator.call.ModuleCalls.NoWorkerException;
import io.trawl.coordinator.topic.RequestOwnerLookup;
import io.trawl.http.CallRefusedException;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registration;
import io.trawl.module.StageState.Phase;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisModuleStore;
import io.trawl.testkit.KafkaFixture;
import io.trawl.time.Time;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ModuleCallsIT {
    private record ReplyOfModule(String by) {}

    private static final ModuleQuestion<String> QUESTION = ModuleQuestion.post("/x", Map.of(), Duration.ofSeconds(20),
            body -> Json.read(body, ReplyOfModule.class).by());
    private final KafkaFixture fixture = new KafkaFixture();
    private final RedisModuleStore redis = RedisModuleStore.connect(RedisServers.of(fixture.settings().redis()),
            fixture.topics().namespace(), Time.system());
    private final Admin admin = fixture.kafka().admin();
    private final DirectCaller caller = new DirectCaller(Optional.empty(), Time.system(), 1000);
    private final ModuleCalls calls = new ModuleCalls(caller, redis.registrar(),
            new RequestOwnerLookup(admin, fixture.topics()));
    private final List<HttpServer> servers = new ArrayList<>();

    @AfterEach
    void close() {
        servers.forEach(server -> server.stop(0));
        caller.close();
        admin.close();
        redis.close();
    }

    /** A module of a load, which answers so. */
    private MID module(long load, int status, String body) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
        servers.add(server);
        return register(load, "127.0.0.1", server.getAddress().getPort());
    }

    private MID register(long load, String host, int port) {
        MID mid = new MID(ModuleKind.ANALYZER, load, host, port);
        redis.registrar().register(
                new Registration(mid, load, new Counts(0, 0, 0, 0, 0, 0), Instant.now(), Map.of(), Phase.RUNNING),
                Duration.ofSeconds(60));
        return mid;
    }

    @Test
    void whatOneModuleCannotAnswerTheNextIsAsked() throws Exception {
        module(1, 413, "{\"detail\":\"no room\"}");
        module(2, 200, "no JSON");
        register(3, "no_host", 80);
        MID answers = module(4, 200, "{\"by\":\"the fourth\"}");
        assertThat(calls.any(ModuleKind.ANALYZER, QUESTION))
                .isEqualTo(new ModuleReply.AnswerOf<>(answers, "the fourth"));
        assertThat(calls.all(ModuleKind.ANALYZER, QUESTION)).hasSize(4)
                .satisfiesOnlyOnce(reply -> assertThat(reply.answer()).contains("the fourth"));
    }

    @Test
    void aQuestionThatBreaksARuleIsAskedOnce() throws Exception {
        module(1, 400, "{\"detail\":\"limit: '0' is not valid\"}");
        module(2, 200, "{\"by\":\"the second\"}");
        assertThatExceptionOfType(CallRefusedException.class).isThrownBy(() -> calls.any(ModuleKind.ANALYZER, QUESTION))
                .withMessage("limit: '0' is not valid");
    }

    @Test
    void whereNoneAnswersEachIsNamedWithItsReason() throws Exception {
        MID full = module(1, 503, "{}");
        MID none = register(2, "no_host", 80);
        assertThatExceptionOfType(NoWorkerException.class).isThrownBy(() -> calls.any(ModuleKind.ANALYZER, QUESTION))
                .withMessageContainingAll(full + ": status 503", none + ": its address is none");
    }
}
