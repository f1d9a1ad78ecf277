package io.trawl.standalone;

import io.trawl.coordinator.lifecycle.NewRun;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlDefinition.CrawlLimits;
import io.trawl.definition.CrawlDefinition.FetchRules;
import io.trawl.definition.FetchStyle;
import io.trawl.process.ProcessorStep;
import io.trawl.standalone.crawl.CrawlPlan;
import io.trawl.standalone.text.Terminal;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class CrawlCommandTest {
    @TempDir
    private Path temp;

    private static CrawlPlan plan(String... args) {
        List<String> all = new ArrayList<>(List.of("crawl"));
        all.addAll(List.of(args));
        CommandLine.ParseResult parsed = Trawl.commandLine(System.getenv()).parseArgs(all.toArray(String[]::new));
        return ((CrawlCommand) parsed.subcommand().commandSpec().userObject()).plan();
    }

    @Test
    void hasTheDocumentedDefaults() {
        CrawlPlan plan = plan("https://docs.example.org");
        CrawlDefinition definition = plan.definition();
        assertThat(plan.crawl().value()).startsWith("docs.example.org-");
        assertThat(plan.out()).isEqualTo(Path.of("pages").toAbsolutePath());
        assertThat(plan.data()).isEqualTo(Path.of(".trawl", "crawls", plan.crawl().value()).toAbsolutePath());
        assertThat(plan.concurrency()).isEmpty();
        assertThat(plan.newRun()).isEqualTo(NewRun.NONE);
        assertThat(definition.limits().depth()).isEqualTo(3);
        assertThat(definition.scope().domains()).isEmpty();
        assertThat(definition.fetch().delay()).isEqualTo(Duration.ofSeconds(1));
        assertThat(definition.limits().maxPages()).isEmpty();
        assertThat(definition.priority()).isEqualTo(1);
        assertThat(definition.extract().text()).isTrue();
        assertThat(definition.seeds()).singleElement()
                .satisfies(seed -> assertThat(seed.url()).contains("https://docs.example.org/"));
    }

    @Test
    void takesEveryOption() {
        CrawlPlan plan = plan("http://127.0.0.1:8000/a#x", "http://127.0.0.1:8000/a", "https://b.example/", "--depth",
                "-1", "--domain", "B.example", "--domain", "127.0.0.1", "--out", "/o", "--data", "/d", "--id", "mine",
                "--max-pages", "7", "--max-bytes", "1000", "--max-time", "8h", "--delay", "0ms", "--concurrency", "3",
                "--priority", "2", "--user-agent", "Me/1", "--contact", "me@example.org", "--ignore-robots",
                "b.example", "--anchors", "--profile", "browser", "--proxy", "http://[::1]:3128", "--no-text",
                "--fresh", "--header", "X-Key=a=b", "--header", "B=c", "--cookie", "s=1", "--response-timeout", "3s",
                "--total-timeout", "9s", "--parser", "rss", "--parser", "html", "--processor", "word-count",
                "--allow-network", "127.0.0.0/8,10.0.0.0/8", "--allow-network", "::1", "--fetcher", "browser",
                "--quiet", "--json");
        CrawlDefinition definition = plan.definition();
        assertThat(plan.crawl().value()).isEqualTo("mine");
        assertThat(definition.seeds()).extracting(seed -> seed.url().orElseThrow())
                .containsExactly("http://127.0.0.1:8000/a", "https://b.example/");
        assertThat(definition.scope().domains()).containsExactly("b.example", "127.0.0.1");
        assertThat(definition.limits()).isEqualTo(new CrawlLimits(-1, Optional.of(7L), Optional.of(1000L),
                Optional.of(Duration.ofHours(8)), Optional.empty()));
        assertThat(definition.fetch()).isEqualTo(new FetchRules(Duration.ZERO, "Me/1", FetchStyle.BROWSER,
                Optional.of("http://[::1]:3128"), Optional.of("me@example.org"), List.of("b.example"),
                Map.of("X-Key", "a=b", "B", "c"), Optional.of("s=1"), Optional.of(Duration.ofSeconds(3)),
                Optional.of(Duration.ofSeconds(9)), Optional.of("browser"), List.of(), List.of(), List.of(),
                Optional.empty(), List.of(), Optional.empty()));
        assertThat(definition.extract().parsers()).containsExactly("rss", "html");
        assertThat(definition.process().processors()).containsExactly(ProcessorStep.of("word-count"));
        assertThat(definition.extract().text()).isFalse();
        assertThat(definition.extract().anchors()).isTrue();
        assertThat(definition.priority()).isEqualTo(2);
        assertThat(plan.allowNetwork()).containsExactly("127.0.0.0/8", "10.0.0.0/8", "::1");
        assertThat(plan.newRun()).isEqualTo(NewRun.FRESH);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            crawl                                          | Missing required parameter: 'URL'
            crawl notaurl                                  | URL: 'notaurl' is not valid
            crawl ftp://a.example/                         | URL: 'ftp://a.example/' is not valid
            crawl http://a.example --dept 3                | Unknown option: '--dept', did you mean --depth?
            crawl http://a.example --depth x               | --depth: 'x' is not valid: a whole number
            crawl http://a.example --depth -2              | --depth: '-2' is not valid
            crawl http://a.example --delay 5               | --delay: '5' is not valid
            crawl http://a.example --delay 2h              | --delay: '2h' is not valid
            crawl http://a.example --max-pages 0           | --max-pages: '0' is not valid
            crawl http://a.example --concurrency 0         | --concurrency: '0' is not valid
            crawl http://a.example --priority 10           | --priority: '10' is not valid
            crawl http://a.example --profile robot         | --profile: 'robot' is not valid: one of plain, browser
            crawl http://a.example --proxy https://p       | --proxy: 'https://p' is not valid: http://host:port
            crawl http://a.example --header a;b=c          | --header: 'a;b' is not valid
            crawl http://a.example --cookie é              | --cookie: '(hidden)' is not valid
            crawl http://a.example --total-timeout 1ms     | --total-timeout: '1ms' is not valid: 100ms to 1h
            crawl http://a.example --parser a --parser a   | --parser: 'a' is not valid
            crawl http://a.example --id A/B                | --id: 'A/B' is not valid
            crawl http://a.example --domain http://x       | --domain: 'http://x' is not valid
            crawl http://a.example --domain co.uk          | --domain: 'co.uk' is not valid
            crawl http://a.example --allow-network 10/x    | --allow-network: '10/x' is not valid
            crawl http://127.0.0.1/                        | URL: 'http://127.0.0.1/' is not valid: this is a loopback address, which is closed: open it with --allow-network 127.0.0.1
            crawl http://localhost/                        | URL: 'http://localhost/' is not valid: this is a loopback address
            crawl http://[::1]/                            | URL: 'http://[::1]/' is not valid: this is a loopback address
            crawl http://a.example --max-pages 99999999999999999999 | --max-pages: '99999999999999999999' is not valid: a number that is not so large
            up --port 70000                                | --port: '70000' is not valid
            up --concurrency 0                             | --concurrency: '0' is not valid
            up --allow-network 10/x                        | --allow-network: '10/x' is not valid
            broker --kafka-port 70000                      | --kafka-port: '70000' is not valid
            submit http://a.example                        | Missing required option: '--crawl=ID'
            submit --crawl A http://a.example              | crawl: 'A' is not valid
            submit --crawl a --coordinator x http://a.ex   | --coordinator: 'x' is not valid
            queue --coordinator http://a resize --items 3  | --coordinator is before 'resize': options come after it
            queue --json move --crawl a --host b --to 1    | --json is before 'move': options come after it
            crowl                                          | Unmatched argument at index 0: 'crowl', did you mean crawl?
            crwal http://a.example                         | Unmatched arguments from index 0: 'crwal', 'http://a.example', did you mean crawl?
            frobnicate                                     | Unmatched argument at index 0: 'frobnicate' (trawl --help lists
            """)
    void reportsAUsersMistakeInOneLine(String command, String line) {
        StringWriter err = new StringWriter();
        int code = Trawl.commandLine(System.getenv()).setErr(new PrintWriter(err, true)).execute(command.split(" "));
        assertThat(code).isEqualTo(2);
        assertThat(err.toString().strip()).startsWith("trawl: " + line).doesNotContain("\n");
    }

    @Test
    void namesEveryOptionThatBreaksARule() {
        StringWriter err = new StringWriter();
        int code = Trawl.commandLine(System.getenv()).setErr(new PrintWriter(err, true)).execute("crawl",
                "https://a.example/", "--depth", "-2", "--max-bytes", "0", "--max-time", "10ms", "--delay", "2h",
                "--user-agent", "", "--proxy", "p", "--priority", "10");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString().lines()).containsExactly("trawl: --depth: '-2' is not valid: -1 (no limit) to 65535",
                "trawl: --max-bytes: '0' is not valid: at least 1",
                "trawl: --max-time: '10ms' is not valid: at least 1s", "trawl: --delay: '2h' is not valid: 0ms to 1h",
                "trawl: --user-agent: '' is not valid: not empty, of visible ASCII characters and spaces",
                "trawl: --proxy: 'p' is not valid: http://host:port, with a port of 1 to 65535",
                "trawl: --priority: '10' is not valid: 0 to 9");
    }

    @Test
    void aCrawlBeyondLoopbackWithoutAContactSaysSoInOneLine() throws java.io.IOException {
        Path file = java.nio.file.Files.writeString(temp.resolve("file"), "");
        for (String url : List.of("https://a.example/", "http://localhost/")) {
            StringWriter err = new StringWriter();
            Trawl.commandLine(System.getenv()).setErr(new PrintWriter(err, true)).execute("crawl", url, "--quiet",
                    "--data", file.toString(), "--allow-network", "127.0.0.0/8");
            assertThat(err.toString().lines().filter(line -> line.startsWith("note: the user agent names no contact")))
                    .hasSize(url.contains("localhost") ? 0 : 1);
        }
    }

    @Test
    void namesMistakesOfAllKindsAtOnce() {
        assertThat(
                TrawlCommand
                        .run("crawl", "notaurl", "ftp://a.example/", "--depth", "two", "--max-pages", "many", "--delay",
                                "5", "--id", "A/B", "--concurrency", "0", "--allow-network", "10/x", "--domain",
                                "co.uk", "--profile", "robot")
                        .err().lines().map(line -> line.replaceFirst(" is not valid: .*", "")))
                .containsExactlyInAnyOrder("trawl: --depth: 'two'", "trawl: --max-pages: 'many'",
                        "trawl: URL: 'notaurl'", "trawl: URL: 'ftp://a.example/'", "trawl: --delay: '5'",
                        "trawl: --id: 'A/B'", "trawl: --concurrency: '0'", "trawl: --allow-network: '10/x'",
                        "trawl: --domain: 'co.uk'", "trawl: --profile: 'robot'");
        assertThat(TrawlCommand.run("up", "--port", "70000", "--concurrency", "x", "--dta", "y").err().lines())
                .hasSize(2);
    }

    @Test
    void theTemplateIsWrittenOnceAndIsAValidCrawlFile() throws java.io.IOException {
        Path file = temp.resolve("site.yaml");
        assertThat(TrawlCommand.run("init", file.toString()).code()).isZero();
        assertThat(TrawlCommand.run("init", file.toString())).satisfies(said -> {
            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err()).isEqualTo("trawl: " + file + " exists: give the name of a new file\n");
        });
        assertThat(TrawlCommand.run("validate", file.toString()))
                .isEqualTo(new TrawlCommand.Said(0, file + ": valid\n", ""));
        assertThat(java.nio.file.Files.readAllLines(file).getFirst())
                .isEqualTo("# yaml-language-server: $schema=http://127.0.0.1:8080/crawl.schema.json");
        CrawlPlan plan = plan("--file", file.toString());
        assertThat(plan.crawl().value()).isEqualTo("site");
        assertThat(plan.definition().limits().maxPages()).contains(1000L);
        assertThat(plan.definition().seeds()).extracting(seed -> seed.url().orElseThrow())
                .containsExactly("https://example.org/");
    }

    @Test
    void optionsWinOverTheFile() throws java.io.IOException {
        Path file = java.nio.file.Files.writeString(temp.resolve("docs.yaml"), """
                seeds: [https://a.example/]
                limits: {depth: 7, maxPages: 5}
                fetch: {delay: 3s, userAgent: File/1, headers: {X-Key: file, X-Other: file}}
                extract: {text: false}
                priority: 2
                """);
        CrawlDefinition definition = plan("--file", file.toString(), "--depth", "3", "--header", "x-key=option")
                .definition();
        assertThat(definition.limits().depth()).as("also if it is the default").isEqualTo(3);
        assertThat(definition.limits().maxPages()).contains(5L);
        assertThat(definition.fetch().delay()).isEqualTo(Duration.ofSeconds(3));
        assertThat(definition.fetch().userAgent()).isEqualTo("File/1");
        assertThat(definition.fetch().headers()).isEqualTo(Map.of("x-key", "option", "X-Other", "file"));
        assertThat(definition.extract().text()).isFalse();
        assertThat(definition.priority()).isEqualTo(2);
        CrawlPlan other = plan("https://b.example", "--file", file.toString(), "--id", "mine", "--delay", "1s");
        assertThat(other.crawl().value()).isEqualTo("mine");
        assertThat(other.definition().seeds()).extracting(seed -> seed.url().orElseThrow())
                .containsExactly("https://b.example/");
        assertThat(other.definition().fetch().delay()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void faultsOfFilesAndOptionsAreNamedTogether() throws java.io.IOException {
        Path file = java.nio.file.Files.writeString(temp.resolve("docs.yaml"), """
                seeds: [https://a.example/]
                limits:
                  depht: 7
                  maxPages: 0
                fetch: {delay: 2h}
                """);
        List<String> mistakes = List.of(
                "trawl: " + file
                        + ":3:3: limits.depht: '7' is not valid: one of the fields depth, host, maxBytes, maxPages,"
                        + " maxTime; did you mean limits.depth?",
                "trawl: " + file + ":4:3: limits.maxPages: '0' is not valid: at least 1",
                "trawl: " + file + ":5:9: fetch.delay: '2h' is not valid: 0ms to 1h");
        assertThat(TrawlCommand.run("validate", file.toString())).satisfies(said -> {
            assertThat(said.code()).isEqualTo(2);
            assertThat(said.err().lines()).containsExactlyElementsOf(mistakes);
        });
        for (String command : List.of("crawl", "submit")) {
            assertThat(TrawlCommand.run(command, "--file", file.toString(), "--delay", "1s", "--priority", "10").err()
                    .lines()).as(command)
                    .containsExactly(mistakes.get(0), mistakes.get(1), "trawl: --priority: '10' is not valid: 0 to 9");
        }
        Path empty = java.nio.file.Files.writeString(temp.resolve("empty.yaml"), "limits: {depth: 1}\n");
        for (String command : List.of("crawl", "submit")) {
            assertThat(TrawlCommand.run(command, "--file", empty.toString(), "--refresh", "--fresh", "http://h/").err())
                    .as(command).contains("--refresh", "left out with --fresh, which visits no pages");
        }
        assertThat(
                TrawlCommand.run("submit", "--file", empty.toString(), "--refresh", "--seeds", empty.toString()).err())
                .contains("--refresh goes without --seeds");
        assertThat(TrawlCommand.run("crawl", "--file", empty.toString()).err()).isEqualTo(
                "trawl: " + empty + ": seeds: '' is not valid: at least one URL, in the file or behind the command\n");
        assertThat(TrawlCommand.run("validate", temp.resolve("none.yaml").toString()).err())
                .endsWith("none.yaml' is not valid: a file that can be read\n");
        Path broken = java.nio.file.Files.writeString(temp.resolve("broken.yaml"), "seeds: [\n");
        assertThat(TrawlCommand.run("validate", broken.toString(), temp.resolve("empty.yaml").toString()))
                .satisfies(said -> {
                    assertThat(said.err())
                            .startsWith("trawl: " + broken + ":2:1: '' is not valid: YAML; it is none here");
                    assertThat(said.out()).isEqualTo(empty + ": valid\n");
                });
    }

    @Test
    void theSchemaOfAFileDescribesTheItemsOfItsRules() throws java.io.IOException {
        Path file = java.nio.file.Files.writeString(temp.resolve("shop.yaml"),
                """
                        extract:
                          items:
                            - type: offer
                              fields: {title: h1, price: {css: .price, type: money, required: true}, tags: {css: .tag, list: true}}
                        """);
        TrawlCommand.Said said = TrawlCommand.run("schema", file.toString());
        assertThat(said.err()).isEmpty();
        Schema schema = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12).getSchema(said.out());
        String line = """
                {"id": "%s", "key": "%s", "crawl": "shop", "epoch": 1, "url": "https://a.example/", "status": 200, "depth": 0, "fetchedAt": "2026-01-02T03:04:05.678Z",
                 "responseTime": 1, "attempts": 1, "contentType": "text/html", "bytes": 1, "sha256": "%s", "ordinal": 1, %%s}"""
                .formatted("0".repeat(32), "0".repeat(40), "0".repeat(64));
        Map.of("\"type\": \"offer\", \"title\": \"T\", \"price\": {\"amount\": 5.5, \"currency\": \"EUR\"}, \"tags\": [\"a\"]",
                true, "\"type\": \"offer\", \"title\": \"T\"", false,
                "\"type\": \"offer\", \"title\": 1, \"price\": {\"amount\": 5}", false,
                "\"type\": \"other\", \"price\": {\"amount\": 5}", false, "\"title\": \"a page\"", false)
                .forEach((fields,
                        valid) -> assertThat(schema.validate(line.formatted(fields), InputFormat.JSON).isEmpty())
                                .as(fields).isEqualTo(valid));
        assertThat(
                TrawlCommand.run("schema",
                        java.nio.file.Files.writeString(temp.resolve("bad.yaml"),
                                "extract: {items: [{type: t, fields: {x: 'a['}}]}").toString())
                        .err())
                .startsWith("trawl: " + temp.resolve("bad.yaml")
                        + ":1:38: extract.items[0].fields.x.css: 'a[' is not valid");
    }

    @Test
    void showsItsHelpWithoutACommand() {
        assertThat(TrawlCommand.run()).satisfies(said -> {
            assertThat(said.code()).isZero();
            assertThat(said.out()).startsWith("Usage: trawl").contains("Commands:", "crawl ");
            assertThat(said.err()).isEmpty();
        });
    }

    @Test
    void namesAMisspeltVariableWithTheNearestSetting() {
        StringWriter err = new StringWriter();
        int code = Trawl.commandLine(Map.of("TRAWL_GRASE", "1s")).setErr(new PrintWriter(err, true))
                .execute("completion");
        assertThat(code).isZero();
        assertThat(err).hasToString("trawl: TRAWL_GRASE is set, but there is no such setting: did you mean TRAWL_GRACE?"
                + System.lineSeparator());
    }

    @Test
    void refusesADataFolderThatCannotBeCreated() throws java.io.IOException {
        Path file = java.nio.file.Files.writeString(temp.resolve("file"), "");
        StringWriter err = new StringWriter();
        int code = Trawl.commandLine(System.getenv()).setErr(new PrintWriter(err, true)).execute("crawl",
                "https://a.example/", "--quiet", "--contact", "me@example.org", "--data", file.toString(), "--out",
                temp.resolve("out").toString());
        assertThat(code).isEqualTo(2);
        assertThat(err.toString().strip()).startsWith("trawl: the data folder " + file).contains("cannot be written to")
                .doesNotContain("\n");
    }

    @Test
    void quotesArgumentsThatAShellWouldSplit() {
        assertThat(new Terminal(false, 80, "./trawl")
                .typed(List.of("crawl", "http://a.example/?x=1&y=2", "--id", "a", "it's")))
                .isEqualTo("./trawl crawl 'http://a.example/?x=1&y=2' --id a 'it'\\''s'");
    }
}
