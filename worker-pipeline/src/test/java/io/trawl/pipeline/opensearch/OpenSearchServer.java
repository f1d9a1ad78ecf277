package io.trawl.pipeline.opensearch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.trawl.pipeline.remote.ServerProcess;
import io.trawl.testkit.Repository;
import io.trawl.testkit.FreePort;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * OpenSearch from the distribution that its own integration tests use. It refuses to run as root, so root starts it as
 * {@code nobody}.
 */
public final class OpenSearchServer {
    private static final Path DISTRIBUTION = Repository.file("worker-pipeline/target/servers/opensearch.zip");
    private static final String ROOT = "opensearch-[0-9.]+/";
    private static final String NEEDED = ROOT + "(lib/[^/]+\\.jar|agent/.*|config/.*|modules/transport-netty4/.*)";

    private OpenSearchServer() {}

    /** Starts it in an empty folder that everybody may read. */
    public static ServerProcess start(Path folder) throws Exception {
        assumeThat(DISTRIBUTION).as("the distribution of OpenSearch, which the build copies").exists();
        boolean root = System.getProperty("user.name").equals("root");
        assumeThat(!root || Files.isExecutable(Path.of("/usr/bin/setpriv")))
                .as("setpriv, with which root starts OpenSearch as nobody").isTrue();
        unpack(folder);
        int port = FreePort.find();
        Files.writeString(folder.resolve("config/opensearch.yml"), """
                discovery.type: single-node
                network.host: 127.0.0.1
                http.port: %d
                transport.port: %d
                path.data: %s
                path.logs: %s
                cluster.routing.allocation.disk.threshold_enabled: false
                """.formatted(port, FreePort.find(), folder.resolve("data"), folder.resolve("logs")));
        List<String> command = new ArrayList<>();
        if (root) {
            run("chmod", "-R", "a+rX", folder.toString());
            run("chown", "-R", "nobody", folder.toString());
            command.addAll(List.of("setpriv", "--reuid=nobody", "--regid=65534", "--clear-groups"));
        }
        command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms192m",
                "-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dopensearch.path.home=" + folder,
                "-Dopensearch.path.conf=" + folder.resolve("config"), "-Dopensearch.distribution.type=zip",
                "-Dopensearch.bundled_jdk=false", "-Djava.io.tmpdir=" + folder,
                "-javaagent:" + folder.resolve("agent/opensearch-agent.jar"), "-cp", folder.resolve("lib") + "/*",
                "org.opensearch.bootstrap.OpenSearch"));
        Path log = Files.createFile(folder.resolve("out.log"));
        return ServerProcess.start(command, log, port);
    }

    private static void unpack(Path folder) throws IOException {
        try (InputStream file = Files.newInputStream(DISTRIBUTION); ZipInputStream zip = new ZipInputStream(file)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory() && entry.getName().matches(NEEDED)) {
                    Path path = folder.resolve(entry.getName().replaceFirst(ROOT, ""));
                    Files.createDirectories(path.getParent());
                    Files.copy(zip, path);
                }
            }
        }
        Files.createDirectories(folder.resolve("data"));
        Files.createDirectories(folder.resolve("logs"));
        Files.createDirectories(folder.resolve("plugins"));
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor(TestTimeouts.LIMIT)).isTrue();
        assertThat(process.exitValue()).as(String.join(" ", command)).isZero();
    }
}
