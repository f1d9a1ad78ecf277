package io.trawl.standalone.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.standalone.TrawlCommand;
import io.trawl.standalone.TrawlCommand.Said;
import io.trawl.standalone.client.ExitCode;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.SeenRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that need no server, against a real web server. No Kafka and no Redis run. */
class LocalPreviewTest {
    @TempDir
    Path temp;
    private final FakeWeb web = FakeWeb.start(2);
    private final FakeHost host = web.host(0);
    private final InputStream before = System.in;

    @BeforeEach
    void pages() {
        host.robots("User-agent: *\nDisallow: /private");
        host.page("/",
                "<title>One</title><h1> Hello <b>world</b></h1><a href='/two'>2</a><a href='/three' rel=nofollow>3</a>"
                        + "<a href='" + web.host(1).url("/") + "'>o</a><p class=price>1.234,50 €</p>");
        host.page("/private/", "<title>Secret</title>");
        host.route("/data",
                Behaviours.bytes("application/json", "{\"a\":{\"b\":[\"x\",2]}}".getBytes(StandardCharsets.UTF_8)));
        host.redirect("/old", "/two");
    }

    @AfterEach
    void close() {
        System.setIn(before);
        web.close();
    }

    private Path file(String yaml) throws IOException {
        return Files.writeString(temp.resolve("site.yaml"), yaml);
    }

    private Said preview(String path, String yaml, String... more) throws IOException {
        String[] arguments = {"preview", host.url(path), "--file", file(yaml).toString(), "--allow-network",
                "127.0.0.0/8"};
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return TrawlCommand.run(all);
    }

    private static final String RULES = """
            fetch: {delay: 0ms}
            process:
              processors:
                - {keep: [title, status]}
                - {rename: {title: heading}}
                - {set: {source: docs}}
                - {unique: [heading]}
            """;

    @Test
    void aPreviewWithAFileShowsEachLinkWithWhatRefusesItAndTheItemsAsProcessorsLeaveThem() throws Exception {
        Said said = preview("/", RULES, "--json");
        assertThat(said.code()).as(said.err()).isZero();
        JsonNode preview = Json.mapper().readTree(said.out());
        assertThat(preview.at("/response/status").asInt()).isEqualTo(200);
        assertThat(preview.at("/links").findValuesAsText("verdict")).containsExactly("ADMITTED", "NOFOLLOW", "DOMAIN");
        assertThat(preview.at("/links/2/cause").asText()).contains("127.0.0.2");
        assertThat(preview.at("/items/0/fields"))
                .hasToString("{\"status\":200,\"heading\":\"One\",\"source\":\"docs\"}");
        assertThat(preview.at("/items/0/run").asText()).isEqualTo("site/1");
        assertThat(web.visits(host).stream().map(SeenRequest::path)).containsExactly("/robots.txt", "/");
        Said text = preview("/", RULES);
        assertThat(text.out()).contains("links: 3, of which 1 would be followed", "item 1", "heading",
                preview.at("/links/2/cause").asText());
    }

    @Test
    void aPreviewWithAnAllowedNetworkNeedsNoServerEither() throws Exception {
        Said said = TrawlCommand.run("preview", host.url("/"), "--allow-network", "127.0.0.0/8");
        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.out()).contains("links: 3, of which 1 would be followed");
        assertThat(
                TrawlCommand.run("preview", host.url("/"), "--allow-network", "127.0.0.0/8", "--crawl", "docs").err())
                .contains("--crawl: 'docs' is not valid: not together with --file or --allow-network");
    }

    @Test
    void anItemThatAProcessorDropsIsShownWithItsReason() throws Exception {
        JsonNode preview = Json.mapper().readTree(
                preview("/", "fetch: {delay: 0ms}\nprocess: {processors: [{require: item.depth > 3}]}", "--json")
                        .out());
        assertThat(preview.at("/items")).isEmpty();
        assertThat(preview.at("/dropped/0").asText()).isEqualTo("require: item.depth > 3");
    }

    @Test
    void aFetcherIsNamedBesideTheFile() throws Exception {
        JsonNode preview = Json.mapper().readTree(
                preview("/", RULES.replace("{delay", "{fetcher: nobody, delay"), "--json", "--fetcher", "http").out());
        assertThat(preview.at("/response/status").asInt()).isEqualTo(200);
        Said other = preview("/", RULES, "--fetcher", "acme");
        assertThat(other.out()).contains("acme");
        assertThat(preview("/", RULES, "--fetcher", "A b").err()).contains("fetcher: 'A b' is not valid: the name of");
    }

    @Test
    void aFileWithFaultsFetchesNothing() throws Exception {
        Said said = preview("/", "process:\n  processors:\n    - require: itm");
        assertThat(said.code()).isEqualTo(ExitCode.MISTAKE);
        assertThat(said.err()).contains("site.yaml:3:7: process.processors[0].require: 'itm' is not valid");
        assertThat(web.visits()).isEmpty();
    }

    @Test
    void robotsTxtHoldsAndThePageKeepsItsPause() throws Exception {
        JsonNode forbidden = Json.mapper().readTree(preview("/private/", "fetch: {delay: 0ms}", "--json").out());
        assertThat(forbidden.at("/response/outcome").asText()).isEqualTo("REFUSED");
        assertThat(forbidden.at("/response/failure").asText()).isEqualTo("ROBOTS: robots.txt forbids it");
        assertThat(web.count(host.url("/private/"))).isZero();
        web.forgetVisits();
        preview("/", "fetch: {delay: 400ms}");
        assertThat(web.shortestGap(host)).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(390));
    }

    @Test
    void aHostThatGivesNoAnswerIsAFailureThatMayBeTemporaryAndAnyAnswerIsNone() throws Exception {
        String dead = "http://127.0.0.1:1/";
        Said alone = TrawlCommand.run("preview", dead, "--allow-network", "127.0.0.0/8");
        assertThat(alone.code()).as(alone.out()).isEqualTo(ExitCode.FAILURE);
        assertThat(alone.out()).startsWith(dead + "\n").contains("CONNECT");
        Said json = TrawlCommand.run("preview", dead, "--file", file(RULES).toString(), "--allow-network",
                "127.0.0.0/8", "--json");
        assertThat(json.code()).as(json.out()).isEqualTo(ExitCode.FAILURE);
        assertThat(Json.mapper().readTree(json.out()).at("/response/outcome").asText()).isEqualTo("FAILURE");
        assertThat(preview("/missing", RULES).code()).isZero();
        assertThat(preview("/old", RULES).code()).isZero();
        assertThat(preview("/private/", RULES).code()).isZero();
    }

    private Said shell(String lines) throws IOException {
        System.setIn(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)));
        return TrawlCommand.run("shell", host.url("/"), "--file", file("fetch: {delay: 0ms}").toString(),
                "--allow-network", "127.0.0.0/8");
    }

    @Test
    void theShellReadsItsCommandsFromAPipe() throws Exception {
        Said said = shell("css h1\nxpath //p[@class='price']/text()\ncss a[rel]\nheaders\nlinks\nitem\n\n");
        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.out()).startsWith("Hello world\n1.234,50 €\n3\n")
                .contains("content-type: text/html; charset=utf-8", "NOFOLLOW", "item 1", "title");
        assertThat(said.err()).contains(host.url("/") + ": PAGE 200, text/html; charset=utf-8");
        assertThat(web.visits(host).stream().map(SeenRequest::path)).as("one fetch").containsExactly("/robots.txt",
                "/");
    }

    @Test
    void theShellOpensOtherPagesAndReadsJson() throws Exception {
        Said said = shell("open " + host.url("/data") + "\njson /a/b/0\njson /a/b\njson /none\nquit\ncss h1\n");
        assertThat(said.code()).as(said.err()).isZero();
        assertThat(said.out()).isEqualTo("x\n[ \"x\", 2 ]\n");
        assertThat(web.count(host.url("/robots.txt"))).isOne();
    }

    @Test
    void aMistakeIsNamedAndTheNextLineIsRead() throws Exception {
        Said said = shell("css a[\nxpath //[\ncss\njson /a\nfind h1\nopen mailto:x\ncss h1\n");
        assertThat(said.code()).isEqualTo(ExitCode.MISTAKE);
        assertThat(said.out()).isEqualTo("Hello world\n");
        assertThat(said.err().lines().skip(1)).hasSize(6).allMatch(line -> line.startsWith("trawl: "))
                .anyMatch(line -> line.contains("command: 'find' is not valid: one of css, xpath, json"))
                .anyMatch(line -> line.contains("css: 'a[' is not valid: a CSS selector such as h1 or a[href]"))
                .anyMatch(line -> line.contains("json: '/a' is not valid: used with a page of JSON"));
    }
}
