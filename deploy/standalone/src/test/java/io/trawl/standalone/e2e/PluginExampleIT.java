package io.trawl.standalone.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.testkit.Output;
import io.trawl.testkit.Repository;
import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.codec.Json;
import io.trawl.testkit.Behaviour;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.SeenRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The worked example of docs/plugins.md, built and run as its reader would do it: a separate Maven project that depends
 * on trawl-api alone.
 */
class PluginExampleIT {
    private static final String FEED = """
            <?xml version="1.0"?>
            <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
              <title>News</title><link>/</link><atom:link href="/feed.xml" rel="self"/>
              <item><title>One</title><link>/one</link></item>
            </channel></rss>""";
    private static final String FEED_CRAWL = """
            {"seeds": ["%s"], "limits": {"depth": 1}, "fetch": {"delay": "0ms", "fetcher": "print-version"},
             "extract": {"parsers": ["html", "rss"]}, "process": {"processors": ["word-count"]}}""";
    private static final String GROUP_CRAWL = """
            {"seeds": [{"url": "%s",
                        "cookie": "session=1", "wait": "1s", "parser": "group"}],
             "scope": {"domains": ["%s", "%s"]}, "fetch": {"delay": "0ms"}}""";
    @TempDir
    private Path folder;

    private final Map<String, Optional<String>> cookies = new ConcurrentHashMap<>();
    private final List<String> posts = new CopyOnWriteArrayList<>();

    @Test
    void theExampleIsBuiltAgainstTheApiAloneAndItsParsersProcessorAndFetcherTakePartInCrawls() throws Exception {
        Path plugins = Files.createDirectories(folder.resolve("plugins"));
        Path jar = build(folder.resolve("project"));
        Files.copy(jar, plugins.resolve(jar.getFileName()));
        Path logs = Files.createDirectories(folder.resolve("logs"));
        try (FakeWeb web = FakeWeb.start(2);
                Processes processes = new Processes(logs);
                HttpClient http = HttpClient.newHttpClient()) {
            FakeHost feed = feed(web.host(0));
            FakeHost group = group(web.host(1), feed);
            Process up = processes.start("deploy/standalone", Map.of("TRAWL_PLUGINS", plugins.toString()), "up",
                    "--data", folder.resolve("data").toString(), "--out", folder.resolve("pages").toString(),
                    "--allow-network", "127.0.0.0/8");
            Path token = folder.resolve("data/up/token");
            await().until(() -> !up.isAlive() || processes.printed().contains("#token="));
            Rest rest = new Rest(http,
                    UpIT.address(processes).orElseThrow(() -> new AssertionError(processes.printed())),
                    Files.readString(token).strip());
            rest.start("feed", FEED_CRAWL.formatted(feed.url("/feed.xml")));
            rest.start("group",
                    GROUP_CRAWL.formatted(group.url("/discussion?start=0"), feed.address(), group.address()));

            rest.awaitEnd("feed");
            Map<String, JsonNode> pages = new Output(folder.resolve("pages"), "feed-1").pages();
            assertThat(pages).containsOnlyKeys(feed.url("/feed.xml"), feed.url("/"), feed.url("/one"));
            assertThat(requireNonNull(pages.get(feed.url("/feed.xml"))).path("title").asText()).isEqualTo("News");
            assertThat(requireNonNull(pages.get(feed.url("/"))).path("words").asInt()).isEqualTo(3);
            assertThat(requireNonNull(pages.get(feed.url("/one"))).path("words").asInt()).as("printed").isEqualTo(4);

            discussions(rest.awaitEnd("group"), web, feed, group);
        }
    }

    /**
     * The crawl of a group: a cookie and a second between two of its pages, discussions read by another parser, several
     * items each.
     */
    private void discussions(JsonNode crawl, FakeWeb web, FakeHost elsewhere, FakeHost group) {
        List<JsonNode> items = new Output(folder.resolve("pages"), "group-1").items();
        assertThat(items.stream().filter(item -> !item.has("ordinal")).map(item -> item.path("url").asText()))
                .containsExactlyInAnyOrder(group.url("/discussion?start=0"), group.url("/discussion?start=25"),
                        group.url("/d/1"), group.url("/d/2"), group.url("/d/3"), group.url("/load"), group.url("/load"),
                        elsewhere.url("/elsewhere"));
        assertThat(items.stream().filter(item -> item.has("ordinal"))
                .map(item -> item.path("url").asText() + " " + item.path("ordinal") + " " + item.path("author").asText()
                        + ": " + item.path("reply").asText()))
                .containsExactlyInAnyOrderElementsOf(Stream.of("/d/1", "/d/2", "/d/3", "/load", "/load").map(group::url)
                        .flatMap(url -> Stream.of(url + " 1 Ann: yes", url + " 2 Bob: no")).toList());
        assertThat(items).extracting(item -> item.path("id").asText()).doesNotHaveDuplicates();
        assertThat(posts).as("each body once, although two pages have the second button")
                .containsExactlyInAnyOrder("load=4", "load=5");
        assertThat(items.stream().filter(item -> item.has("method") && !item.has("ordinal"))
                .map(item -> item.path("method").asText() + " " + item.path("requestBody").asText()))
                .containsExactlyInAnyOrder("POST load=4", "POST load=5");
        assertThat(crawl.at("/totals/items/written").asInt()).as(crawl.toString()).isEqualTo(18);
        assertThat(crawl.at("/totals/items/stored").asInt()).isEqualTo(18);
        JsonNode totals = crawl.path("totals");
        assertThat(
                Stream.of("pages", "repeats", "redirects", "httpErrors", "failures", "refused", "duplicates", "waiting")
                        .mapToInt(name -> totals.path(name).asInt()).sum())
                .as(crawl.toString()).isEqualTo(totals.path("emitted").asInt());
        assertThat(totals.path("pages").asInt()).isEqualTo(8);
        assertThat(crawl.findPath("errorsByKind").path("PARSE").asInt()).as("a discussion without a reply")
                .isEqualTo(1);
        assertThat(cookies).containsEntry("/elsewhere", Optional.empty()).hasSize(7);
        assertThat(cookies.values()).filteredOn(Optional.of("session=1")::equals).hasSize(6);
        List<SeenRequest> visits = web.visits(group).stream().filter(visit -> !visit.path().equals("/robots.txt"))
                .toList();
        for (int i = 1; i < visits.size(); i++) {
            assertThat(visits.get(i).arrived() - visits.get(i - 1).ended().orElseThrow())
                    .isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
        }
    }

    private static FakeHost feed(FakeHost host) {
        host.page("/", "<title>Home</title><p>three words here").page("/one", "<p>just two").page("/one?print=1",
                "<p>the four printed words");
        return host.route("/feed.xml", Behaviours.bytes("application/rss+xml", FEED.getBytes(StandardCharsets.UTF_8)));
    }

    private FakeHost group(FakeHost host, FakeHost elsewhere) {
        elsewhere.route("/elsewhere", noted("<p>no reply"));
        host.route("/discussion?start=0",
                noted("<a class=\"discussion\" href=\"/d/1\">1</a><a class=\"discussion\" href=\"/d/2\">2</a>"
                        + "<a class=\"discussion\" href=\"" + elsewhere.url("/elsewhere") + "\">3</a>"
                        + "<button name=\"load\" value=\"4\"><button name=\"load\" value=\"5\"><button name=\"load\" value=\"5\">"
                        + "<a href=\"/login\">login</a><a rel=\"next\" href=\"/discussion?start=25\">next</a>"));
        host.route("/discussion?start=25",
                noted("<a class=\"discussion\" href=\"/d/3\">3</a><button name=\"load\" value=\"5\">"));
        Behaviour replies = noted("<ul><li class=\"reply\"><b>Ann</b> yes <li class=\"reply\"><b>Bob</b> no</ul>");
        host.route("/load", exchange -> {
            posts.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            replies.answer(exchange);
        });
        for (String path : List.of("/d/1", "/d/2", "/d/3")) {
            host.route(path, noted(
                    "<ul><li class=\"reply\"><b>Ann</b> yes <li class=\"reply\"><b>Bob</b> no</ul><a href=\"/ad\">ad</a>"));
        }
        return host;
    }

    private Behaviour noted(String html) {
        return exchange -> {
            cookies.put(exchange.getRequestURI().toString(),
                    Optional.ofNullable(exchange.getRequestHeaders().getFirst("Cookie")));
            Behaviours.page(html).answer(exchange);
        };
    }

    /** Calls of the REST interface. */
    private record Rest(HttpClient http, String dashboard, String token) {
        /** Waits for a leader, too. */
        void start(String id, String definition) {
            await().untilAsserted(() -> {
                HttpResponse<String> defined = send(id + "?start=true",
                        call -> call.header("Content-Type", "application/json")
                                .PUT(HttpRequest.BodyPublishers.ofString(definition)));
                assertThat(defined.statusCode()).as(defined.body()).isEqualTo(201);
            });
        }

        JsonNode awaitEnd(String id) {
            return await().until(() -> Json.mapper().readTree(send(id, call -> call).body()),
                    crawl -> crawl.at("/end/reason").asText().equals("FINISHED"));
        }

        private HttpResponse<String> send(String path, UnaryOperator<HttpRequest.Builder> call) throws Exception {
            URI uri = URI.create(dashboard).resolve("/api/v1/crawls/" + path);
            return http.send(call.apply(HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + token)).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void theGuideShowsShortSourcesOfTheExampleAndLeadsToTheOthers() throws IOException {
        String sources = "examples/plugin/src/main/java/com/example/";
        String guide = Files.readString(Repository.file("docs/plugins.md"));

        for (String shown : List.of("WordCount", "PrintVersion", "IdFolder")) {
            assertThat(guide).contains(Files.readString(Repository.file("docs/" + sources + shown + ".java")));
        }
        assertThat(guide).contains("(" + sources + "RssParser.java)", "(" + sources + "GroupParser.java)",
                "(" + sources + "DiscussionParser.java)", GROUP_CRAWL.lines().skip(1).findFirst().orElseThrow());
    }

    /**
     * Calls Maven on a copy of the example. Its artifacts come from this build, everything else from the user's local
     * repository.
     */
    private Path build(Path project) throws Exception {
        copy(Repository.file("docs/examples/plugin"), project);
        Path log = folder.resolve("mvn.log");
        ProcessBuilder builder = new ProcessBuilder("mvn", "--batch-mode", "--no-transfer-progress",
                "-Dmaven.repo.local=" + repository(), "package").directory(project.toFile()).redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process maven = builder.start();
        assertThat(maven.waitFor(Duration.ofMinutes(5))).as("ends\n" + Files.readString(log)).isTrue();
        assertThat(maven.exitValue()).as(Files.readString(log)).isZero();
        return project.resolve("target/trawl-plugin-1.0.jar");
    }

    /**
     * A local repository that shows all of the user's but Trawl, and trawl-api as {@code mvn install} would put it
     * there.
     */
    private static Path repository() throws IOException {
        Path users = Path.of(Optional.ofNullable(System.getProperty("localRepository"))
                .orElse(System.getProperty("user.home") + "/.m2/repository"));
        Path own = Path.of("target", "repository").toAbsolutePath();
        link(users, own, "io");
        link(users.resolve("io"), own.resolve("io"), "trawl");
        Path target = Repository.file("common/api/target");
        try (Stream<Path> files = Files.list(target)) {
            String name = files.map(file -> file.getFileName().toString())
                    .filter(file -> file.matches("trawl-api-[^j]*\\.jar")).findFirst()
                    .orElseThrow(() -> new IllegalStateException("no trawl-api: run mvn package first"));
            String version = name.substring("trawl-api-".length(), name.length() - ".jar".length());
            Path api = Files.createDirectories(own.resolve("io/trawl/trawl-api").resolve(version));
            Files.copy(target.resolve(name), api.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            Files.copy(target.resolve("flattened-pom.xml"), api.resolve("trawl-api-" + version + ".pom"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
        return own;
    }

    /** Links to everything in a folder but one. */
    private static void link(Path from, Path to, String except) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> entries = Files.list(from)) {
            for (Path entry : entries.filter(entry -> !entry.endsWith(except)).toList()) {
                Path link = to.resolve(entry.getFileName());
                if (!Files.exists(link)) {
                    Files.deleteIfExists(link);
                    Files.createSymbolicLink(link, entry);
                }
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.filter(file -> !file.startsWith(from.resolve("target"))).toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }
}
