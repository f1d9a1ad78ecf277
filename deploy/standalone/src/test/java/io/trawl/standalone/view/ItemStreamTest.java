package io.trawl.standalone.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.trawl.coordinator.text.Screen;
import io.trawl.standalone.client.Api;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.standalone.client.Query;
import io.trawl.standalone.client.UserMistakeException;
import io.trawl.standalone.text.Printer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ItemStreamTest {
    private static final String ITEMS = """
            {"id":"1","url":"http://h/a","title":"a, \\"b\\"","links":["http://h/b"]}
            {"id":"2","url":"http://h/b","title":"=1+1","status":200}
            """;
    private HttpServer server;
    private long length;

    @BeforeEach
    void serve() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/items.jsonl", exchange -> {
            exchange.sendResponseHeaders(200, length);
            exchange.getResponseBody().write(ITEMS.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String printed(Optional<String> format, List<String> fields, Optional<Integer> limit, Screen screen)
            throws Exception {
        StringWriter out = new StringWriter();
        try (Api api = new Api(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))) {
            new ItemStream(format, fields, limit).print(api, new Printer(new PrintWriter(out), screen, false),
                    new Query("/items.jsonl"));
        }
        return out.toString();
    }

    @Test
    void itemsArePrintedAsTheyComeOrWithSomeFieldsInTheirOrder() throws Exception {
        assertThat(printed(Optional.of("jsonl"), List.of(), Optional.empty(), Screen.FILE)).isEqualTo(ITEMS);
        assertThat(printed(Optional.empty(), List.of("status", "url"), Optional.empty(), Screen.FILE))
                .isEqualTo("{\"url\":\"http://h/a\"}\n{\"status\":200,\"url\":\"http://h/b\"}\n");
        assertThat(printed(Optional.of("jsonl"), List.of("id"), Optional.of(1), Screen.FILE))
                .isEqualTo("{\"id\":\"1\"}\n");
    }

    @Test
    void commaSeparatedValuesHaveAHeaderQuotesAndNoFormulas() throws Exception {
        assertThat(printed(Optional.of("csv"), List.of("title", "status", "links"), Optional.empty(), Screen.FILE))
                .isEqualTo("title,status,links\n\"a, \"\"b\"\"\",,\"[\"\"http://h/b\"\"]\"\n'=1+1,200,\n");
    }

    @Test
    void aBodyThatBreaksOffIsAFailureAndNotTheEnd() {
        length = 1000;
        assertThatThrownBy(() -> printed(Optional.empty(), List.of("id"), Optional.empty(), Screen.FILE))
                .isInstanceOf(CoordinatorUnavailableException.class).hasMessageContaining("not complete");
    }

    @Test
    void wrongOptionsAreNamed() {
        assertThatThrownBy(() -> new ItemStream(Optional.of("xml"), List.of(), Optional.empty()))
                .isInstanceOf(UserMistakeException.class).hasMessage("--format: 'xml' is not valid: jsonl or csv");
        assertThatThrownBy(() -> new ItemStream(Optional.of("csv"), List.of(), Optional.empty()))
                .isInstanceOf(UserMistakeException.class).hasMessageContaining("--fields");
    }
}
