package io.trawl.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.trawl.standalone.TrawlCommand.Said;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SettingsCommandTest {
    @Test
    void oneSettingIsShownByItsName() throws Exception {
        byte[] body = "{\"capacity\":50,\"responseBacklog\":7}".getBytes(StandardCharsets.UTF_8);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/settings", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        try {
            String at = "http://127.0.0.1:" + server.getAddress().getPort();
            Said said = TrawlCommand.run("settings", "responseBacklog", "--coordinator", at);
            assertThat(said.out()).contains("responseBacklog", "7").doesNotContain("capacity");
            assertThat(TrawlCommand.run("settings", "responseBacklog", "--json", "--coordinator", at).out().strip())
                    .isEqualTo("{\"responseBacklog\":7}");
            assertThat(TrawlCommand.run("settings", "--coordinator", at).out()).contains("responseBacklog", "capacity");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void aNameThatIsNoneGetsTheNamesAndTheForm() {
        Said said = TrawlCommand.run("settings", "responseBaklog");
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).contains("NAME=VALUE: 'responseBaklog' is not valid: one of the settings capacity, ",
                "did you mean responseBacklog?");
        assertThat(TrawlCommand.run("settings", "capacity", "levels=3").err())
                .contains("'capacity' is not valid: with a value, as the others have one");
    }
}
