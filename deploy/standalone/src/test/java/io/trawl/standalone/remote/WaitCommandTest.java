package io.trawl.standalone.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.trawl.standalone.TrawlCommand;
import io.trawl.standalone.TrawlCommand.Said;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class WaitCommandTest {
    private static final String FINISHED = """
            {"crawl":"docs","epoch":1,"state":"STOPPED","end":{"reason":"FINISHED","at":"2026-01-02T03:04:05Z"},
            "totals":{"emitted":1,"pages":1}}""";

    private static InetSocketAddress free() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
        }
    }

    @Test
    void withATimeoutADeploymentMayStartMeanwhile() throws Exception {
        InetSocketAddress address = free();
        String at = "http://127.0.0.1:" + address.getPort();
        assertThat(TrawlCommand.run("wait", "docs", "--coordinator", at).err()).contains("no coordinator answers");
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
        try {
            CompletableFuture<Said> waiting = CompletableFuture
                    .supplyAsync(() -> TrawlCommand.run("wait", "docs", "--coordinator", at, "--timeout", "5m"));
            await().until(() -> told.toString(StandardCharsets.UTF_8).contains("no coordinator answers"));
            HttpServer server = HttpServer.create(address, 0);
            server.createContext("/", exchange -> {
                try (exchange) {
                    byte[] body = FINISHED.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                }
            });
            server.start();
            try {
                assertThat(waiting.get()).isEqualTo(new Said(0, "crawl docs/1 is finished\n", ""));
            } finally {
                server.stop(0);
            }
        } finally {
            System.setErr(before);
        }
    }
}
