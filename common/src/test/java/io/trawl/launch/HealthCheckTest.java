package io.trawl.launch;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class HealthCheckTest {
    @Test
    void isPassedByAnAnswerOf200Only() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/health/live", call -> {
            call.sendResponseHeaders(200, -1);
            call.close();
        });
        server.createContext("/health/ready", call -> {
            call.sendResponseHeaders(503, -1);
            call.close();
        });
        server.start();
        int port = server.getAddress().getPort();
        assertThat(HealthCheck.healthy(port, "live")).isTrue();
        assertThat(HealthCheck.healthy(port, "ready")).isFalse();
        server.stop(0);
        assertThat(HealthCheck.healthy(port, "live")).isFalse();
    }
}
