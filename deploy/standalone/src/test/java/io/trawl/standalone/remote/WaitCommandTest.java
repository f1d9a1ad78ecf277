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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            HttpServer server = serve(address, 200, FINISHED);
            try {
                assertThat(waiting.get()).isEqualTo(new Said(0, "crawl docs/1 is finished\n", ""));
            } finally {
                server.stop(0);
            }
        } finally {
            System.setErr(before);
        }
    }

    private static HttpServer serve(InetSocketAddress address, int status, String answer) throws Exception {
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = answer.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        return server;
    }

    /** The answer of a coordinator, then that of another one after a time without any. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
            "wait docs | {\"crawl\":\"docs\",\"epoch\":1,\"state\":\"STARTED\",\"totals\":{\"emitted\":1}}",
            "errors --follow | retry: 1", "items docs --follow | {\"items\":[],\"complete\":true,\"scanned\":0}"})
    void whoWaitsWithoutEndIsToldThatNoCoordinatorAnswersAnyMore(String command, String answer) throws Exception {
        InetSocketAddress address = free();
        List<String> args = new ArrayList<>(List.of(command.split(" ")));
        args.addAll(List.of("--coordinator", "http://127.0.0.1:" + address.getPort()));
        HttpServer first = serve(address, 200, answer);
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
        try {
            CountDownLatch asked = new CountDownLatch(2);
            first.createContext("/api", exchange -> {
                asked.countDown();
                try (exchange) {
                    exchange.sendResponseHeaders(200, answer.length());
                    exchange.getResponseBody().write(answer.getBytes(StandardCharsets.UTF_8));
                }
            });
            CompletableFuture<Said> waiting = CompletableFuture
                    .supplyAsync(() -> TrawlCommand.run(args.toArray(String[]::new)));
            await().until(() -> asked.getCount() == 0);
            first.stop(0);
            await().until(() -> told.toString(StandardCharsets.UTF_8)
                    .contains("no coordinator answers at http://127.0.0.1:" + address.getPort()));
            assertThat(waiting).isNotDone();
            HttpServer other = serve(address, 404,
                    "{\"type\":\"urn:trawl:problem:unknown-crawl\",\"detail\":\"gone\"}");
            try {
                assertThat(waiting.get().code()).isEqualTo(3);
            } finally {
                other.stop(0);
            }
        } finally {
            System.setErr(before);
        }
    }
}
