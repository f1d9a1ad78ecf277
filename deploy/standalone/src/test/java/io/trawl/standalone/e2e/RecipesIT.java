package io.trawl.standalone.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;
import io.trawl.testkit.FreePort;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.Repository;
import io.trawl.testkit.StartCache;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.duckdb.DuckDBDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of docs/recipes.md, run by a shell as they stand there; only ports differ, and the addresses of the
 * servers. Everything that a recipe starts ends with its test.
 */
class RecipesIT {
    private static final Pattern BLOCK = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);
    private static final Path SITE = Repository.file("docs/examples/recipes/site");
    /** What {@code duckdb -c SQL} does, by the engine that its command line has, too. */
    private static final String DUCKDB = """
            import java.sql.*;
            class Query {
              public static void main(String[] sql) throws Exception {
                try (var rows = DriverManager.getConnection("jdbc:duckdb:").createStatement().executeQuery(sql[1])) {
                  int columns = rows.getMetaData().getColumnCount();
                  while (rows.next()) {
                    var row = new StringBuilder();
                    for (int i = 1; i <= columns; i++) row.append(i > 1 ? " | " : "").append(rows.getString(i));
                    System.out.println(row);
                  }
                }
              }
            }
            """;
    /** What runs behind the shell ends with it. */
    private static final String ENDED = "trap 'kill -9 $(jobs -p) 2>/dev/null || true' EXIT\n";
    @TempDir
    private Path folder;
    private HttpServer site;

    @BeforeEach
    void serve() throws IOException {
        site = SimpleFileServer.createFileServer(new InetSocketAddress("127.0.0.1", 0), SITE, OutputLevel.NONE);
        site.start();
        Path recipes = Files.createDirectories(folder.resolve("docs/examples/recipes"));
        try (Stream<Path> files = Files.list(SITE.resolveSibling(""))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".yaml")).toList()) {
                Files.writeString(recipes.resolve(file.getFileName()),
                        Files.readString(file).replace("127.0.0.1:8000", "127.0.0.1:" + site.getAddress().getPort()));
            }
        }
        Path jar = Processes.jar("deploy/standalone");
        command("trawl", Stream.of(StartCache.JAVA, StartCache.options(jar), List.of("-jar", jar.toString()))
                .flatMap(List::stream).collect(Collectors.joining(" ")));
        Path query = Files.writeString(folder.resolve("Query.java"), DUCKDB);
        command("duckdb", StartCache.JAVA.getFirst() + " -cp " + jarOf(DuckDBDriver.class) + " " + query);
    }

    @AfterEach
    void stop() {
        site.stop(0);
    }

    private void command(String name, String line) throws IOException {
        Path script = Files.writeString(folder.resolve(name), "#!/bin/sh\nexec " + line + " \"$@\"\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    private static Path jarOf(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    /** The blocks of commands of a recipe. */
    private static List<String> commands(String recipe) throws IOException {
        String text = Files.readString(Repository.file("docs/recipes.md"));
        String chapter = text.substring(text.indexOf("\n## " + recipe + "\n")).substring(1).split("\n## ")[0];
        return BLOCK.matcher(chapter).results().map(found -> found.group(1)).toList();
    }

    /** Runs commands, each of which must succeed, and returns what they print. */
    private String run(String commands) throws IOException, InterruptedException {
        Path output = folder.resolve("output-" + System.nanoTime());
        ProcessBuilder shell = new ProcessBuilder("bash", "-euc", ENDED + commands).directory(folder.toFile())
                .redirectErrorStream(true).redirectOutput(output.toFile());
        shell.environment().merge("PATH", folder.toString(), (path, own) -> own + ":" + path);
        Process running = shell.start();
        try {
            assertThat(running.waitFor(TestTimeouts.LIMIT)).as(commands).isTrue();
            assertThat(running.exitValue()).as("%s\n%s", commands, Files.readString(output)).isZero();
            return Files.readString(output);
        } finally {
            running.descendants().forEach(ProcessHandle::destroyForcibly);
            running.destroyForcibly();
        }
    }

    private long lines(String glob) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            var matcher = folder.getFileSystem().getPathMatcher("glob:" + folder + "/" + glob);
            long lines = 0;
            for (Path file : files.filter(matcher::matches).toList()) {
                lines += Files.readString(file, UTF_8).lines().count();
            }
            return lines;
        }
    }

    @Test
    void aDocumentationSiteIsQueriedByDuckDb() throws Exception {
        String printed = run(commands("A documentation site to Parquet and DuckDB").getFirst());
        assertThat(printed).contains("/guide/api.html | Interface | ", "/guide/first.html | First steps | ",
                "/guide/install.html | Install | ");
    }

    @Test
    void aSiteIsMarkdownForRetrieval() throws Exception {
        String printed = run(commands("Text for retrieval").getFirst());
        String site = "http://127.0.0.1:" + this.site.getAddress().getPort();
        assertThat(printed)
                .contains(site + "/guide/api.html | # Interface\n", "```sh\ncurl ADDRESS/status | jq .\n```\n",
                        "| `/status\\|/health` | the state, see [First steps](" + site + "/guide/first.html#run) |")
                .doesNotContain("# Install").as("the heading of a chunk")
                .contains(site + "/guide/api.html | [Interface");
    }

    @Test
    @Tag("nightly")
    void everyNightARunReplacesTheOneBeforeWhenItHasFinished() throws Exception {
        List<String> blocks = commands("Every night");
        String duckdb = "duckdb -c \"SELECT count(*) AS pages FROM 'guide/latest/guide/*.parquet'\"";
        assertThat(run(blocks.getFirst() + blocks.getFirst()).lines().filter("3"::equals)).hasSize(2);
        site.stop(0);
        assertThat(run("! " + blocks.getFirst().replace(duckdb, "") + duckdb).lines()).as("the site is down")
                .contains("3");
    }

    @Test
    @Tag("nightly")
    void aScheduleIsSubmittedToADeployment() throws Exception {
        try (Processes processes = new Processes(Files.createDirectories(folder.resolve("logs")))) {
            Process up = processes.start("deploy/standalone", Map.of(), "up", "--data",
                    folder.resolve(".trawl").toString(), "--port", "" + FreePort.find(), "--allow-network",
                    "127.0.0.0/8", "--out", folder.resolve("pages").toString());
            await().until(() -> !up.isAlive() || UpIT.address(processes).isPresent());
            assertThat(run(commands("Every night").getLast())).contains("crawl nightly/1 is started", "nightly/1");
        }
    }

    @Test
    @Tag("nightly")
    void anArchiveGivesItemsWithoutAskingTheSite() throws Exception {
        List<String> both = commands("An archive").getFirst().lines().toList();
        run(both.getFirst());
        site.stop(0);
        run(both.getLast());
        assertThat(lines("quotes-of-site/items/*/*.jsonl")).isEqualTo(5);
    }

    @Test
    @Tag("nightly")
    void theSpiderOfScrapysTutorialIsACrawlFile() throws Exception {
        run(commands("Coming from Scrapy").getFirst());
        assertThat(lines("quotes/items/*/*.jsonl")).isEqualTo(5);
    }

    @Test
    @Tag("nightly")
    void aJobOfHeritrixIsACrawlFile() throws Exception {
        run(commands("Coming from Heritrix").getFirst());
        assertThat(lines("job/items/*/*.jsonl")).isEqualTo(3);
        assertThat(lines("job/archive/*/*.cdxj")).isGreaterThanOrEqualTo(3);
    }

    @Test
    @Tag("nightly")
    void aFleetOnThreeAddressesSharesOneCrawl() throws Exception {
        KafkaFixture fixture = new KafkaFixture();
        String servers = "export TRAWL_NAMESPACE=%s TRAWL_KAFKA_BOOTSTRAP_SERVERS=%s TRAWL_REDIS_URL=%s\n".formatted(
                fixture.topics().namespace(), fixture.settings().kafka().bootstrapServers(),
                fixture.settings().redis().url());
        String commands = commands("A fleet on three machines").getFirst();
        MatchResult first = Pattern.compile("export .*TRAWL_REDIS_URL=.*\n").matcher(commands).results().findFirst()
                .orElseThrow();
        run(servers + commands.substring(first.end()));
        assertThat(lines("fleet/items/*/*.jsonl")).isEqualTo(5);
    }
}
