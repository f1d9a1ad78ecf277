package io.trawl.coordinator.call;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.trawl.http.CallSignature;
import io.trawl.model.MID;
import io.trawl.time.Time;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class DirectCallerTest {
    @Test
    void whoeverRegistersAFalseAddressIsSentNoToken() throws Exception {
        String token = "write-token-0123456789";
        List<String> sent = new CopyOnWriteArrayList<>();
        HttpServer listener = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        listener.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestHeaders().forEach((name, values) -> sent.add(name + ": " + values));
                sent.add(new String(exchange.getRequestBody().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8));
                exchange.sendResponseHeaders(204, -1);
            }
        });
        listener.start();
        try (DirectCaller caller = new DirectCaller(Optional.of(CallSignature.by(token)), Time.system(), 1000)) {
            MID registered = MID.parse("D1|127.0.0.1:" + listener.getAddress().getPort());
            caller.ask(registered, ModuleQuestion.get("/summary", Map.of(), Duration.ofSeconds(20), body -> body));
            caller.ask(registered, ModuleQuestion.post("/download", Map.of(), Duration.ofSeconds(20), body -> body));
        } finally {
            listener.stop(0);
        }
        assertThat(sent).anyMatch(line -> line.startsWith("Authorization: [Trawl-Signature "))
                .noneMatch(line -> line.contains(token))
                .anyMatch(line -> line.startsWith("Content-digest: [sha-256=:"));
    }
}
