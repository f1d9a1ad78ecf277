package io.trawl.standalone.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.testkit.Behaviours;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeWeb;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The worked example of docs/plugins.md, built and run as its reader would do it: a separate Maven project that depends on trawl-api alone. */
class PluginExampleIT {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final String FEED = """
            <?xml version="1.0"?>
            <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
              <title>News</title><link>/</link><atom:link href="/feed.xml" rel="self"/>
              <item><title>One</title><link>/one</link></item>
            </channel></rss>""";
    @TempDir
    private Path folder;

    @Test
    void theExampleIsBuiltAgainstTheApiAloneAndItsParserProcessorAndFetcherTakePartInACrawl() throws Exception {
        Path plugins = Files.createDirectories(folder.resolve("plugins"));
        Path jar = build(folder.resolve("project"));
        Files.copy(jar, plugins.resolve(jar.getFileName()));

        Map<String, JsonNode> pages;
        try (FakeWeb web = FakeWeb.start(1)) {
            FakeHost host = web.host(0).page("/", "<title>Home</title><p>three words here").page("/one", "<p>just two")
                    .page("/one?print=1", "<p>the four printed words");
            host.route("/feed.xml", Behaviours.bytes("application/rss+xml", FEED.getBytes(StandardCharsets.UTF_8)));
            pages = crawl(plugins, host.url("/feed.xml"));

            assertThat(pages).containsOnlyKeys(host.url("/feed.xml"), host.url("/"), host.url("/one"));
            assertThat(requireNonNull(pages.get(host.url("/feed.xml"))).path("title").asText()).isEqualTo("News");
            assertThat(requireNonNull(pages.get(host.url("/"))).path("words").asInt()).isEqualTo(3);
            assertThat(requireNonNull(pages.get(host.url("/one"))).path("words").asInt()).as("printed").isEqualTo(4);
        }
    }

    @Test
    void theGuideShowsTheSourcesOfTheExample() throws IOException {
        Path example = ROOT.resolve("docs/examples/plugin/src/main/java/com/example");
        assertThat(Files.readString(ROOT.resolve("docs/plugins.md")))
                .contains(Files.readString(example.resolve("WordCount.java")),
                        Files.readString(example.resolve("RssParser.java")),
                        Files.readString(example.resolve("PrintVersion.java")));
    }

    private Map<String, JsonNode> crawl(Path plugins, String seed) throws Exception {
        Path logs = Files.createDirectories(folder.resolve("logs"));
        try (Processes processes = new Processes(logs)) {
            Process crawl = processes.start("deploy/standalone", Map.of("TRAWL_PLUGINS", plugins.toString()), "crawl", seed,
                    "--depth", "1", "--delay", "0ms", "--fetcher", "print-version", "--allow-network", "127.0.0.0/8", "--out",
                    folder.resolve("pages").toString(), "--data", folder.resolve("data").toString());
            assertThat(crawl.waitFor(Duration.ofSeconds(120))).as("ends by itself\n" + processes.printed()).isTrue();
            assertThat(crawl.exitValue()).as(processes.printed()).isZero();
        }
        return new Output(folder.resolve("pages")).pages();
    }

    /** Calls Maven on a copy of the example. Its artifacts come from this build, everything else from the user's local repository. */
    private Path build(Path project) throws Exception {
        copy(ROOT.resolve("docs/examples/plugin"), project);
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

    /** A local repository that shows all of the user's but Trawl, and trawl-api as {@code mvn install} would put it there. */
    private static Path repository() throws IOException {
        Path users = Path.of(Optional.ofNullable(System.getProperty("localRepository"))
                .orElse(System.getProperty("user.home") + "/.m2/repository"));
        Path own = Path.of("target", "repository").toAbsolutePath();
        link(users, own, "io");
        link(users.resolve("io"), own.resolve("io"), "trawl");
        Path target = ROOT.resolve("common/api/target");
        try (Stream<Path> files = Files.list(target)) {
            String name = files.map(file -> file.getFileName().toString()).filter(file -> file.matches("trawl-api-[^j]*\\.jar"))
                    .findFirst().orElseThrow(() -> new IllegalStateException("no trawl-api: run mvn package first"));
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
