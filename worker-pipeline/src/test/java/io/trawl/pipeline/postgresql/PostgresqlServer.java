package io.trawl.pipeline.postgresql;

import static java.util.Objects.requireNonNull;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trawl.testkit.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL of its own for a test, with binaries from Maven Central, on loopback. Everybody may log in, but
 * {@link #LOCKED} with a password only.
 */
public final class PostgresqlServer implements AutoCloseable {
    /** A role with a password. */
    public static final String LOCKED = "locked";
    /** The password of {@link #LOCKED}. */
    public static final String PASSWORD = "hush";
    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private final Path folder;
    private final int port;
    private @Nullable Process process;

    private PostgresqlServer(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /** Starts one, or skips the test where there are no binaries for this machine. */
    public static PostgresqlServer start() throws Exception {
        boolean here = System.getProperty("os.name").equals("Linux") && System.getProperty("os.arch").equals("amd64");
        assumeTrue(here && run(List.of("tar", "--version")) && run(List.of("xz", "--version")),
                "the binaries of PostgreSQL are for Linux on x86-64, and need tar and xz");
        PostgresqlServer server = new PostgresqlServer(Files.createTempDirectory("trawl-postgresql"), FreePort.find());
        try {
            server.unpack();
            server.restart();
            server.execute("CREATE ROLE " + LOCKED + " LOGIN PASSWORD '" + PASSWORD + "'; CREATE SCHEMA AUTHORIZATION "
                    + LOCKED);
        } catch (Exception | AssertionError e) {
            server.close();
            throw e;
        }
        return server;
    }

    private static boolean run(List<String> command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private void unpack() throws Exception {
        Path archive = folder.resolve("archive");
        try (InputStream in = requireNonNull(PostgresqlServer.class.getResourceAsStream(ARCHIVE))) {
            Files.copy(in, archive);
        }
        assumeTrue(run(List.of("tar", "-xJf", archive.toString(), "-C", folder.toString())),
                "the binaries cannot be unpacked");
        Files.delete(archive);
        // PostgreSQL refuses to run as root.
        if (root()) {
            assumeTrue(run(List.of("chown", "-R", "65534:65534", folder.toString())),
                    "the folder cannot be given away");
        }
        Path log = folder.resolve("initdb.log");
        Process initdb = new ProcessBuilder(as(folder + "/bin/initdb", "-D", folder + "/data", "-U", "postgres", "-A",
                "trust", "-E", "UTF8", "--locale=C", "-N")).redirectErrorStream(true).redirectOutput(log.toFile())
                .start();
        if (initdb.waitFor() != 0) {
            throw new IllegalStateException(Files.readString(log));
        }
        Files.writeString(folder.resolve("data/pg_hba.conf"),
                "host all " + LOCKED + " 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n");
    }

    private static boolean root() {
        return System.getProperty("user.name").equals("root");
    }

    private static List<String> as(String... command) {
        List<String> all = new ArrayList<>(
                root() ? List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups") : List.of());
        all.addAll(List.of(command));
        return all;
    }

    /** Starts the server with the data that it has; returns when it answers. */
    public void restart() throws IOException {
        process = new ProcessBuilder(as(folder + "/bin/postgres", "-D", folder + "/data", "-p", Integer.toString(port),
                "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"))
                .redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
        await().ignoreExceptions().until(() -> {
            execute("SELECT 1");
            return true;
        });
    }

    /** Kills the server as a crash does. */
    public void kill() throws InterruptedException {
        Process server = requireNonNull(process);
        List<ProcessHandle> backends = server.descendants().toList();
        server.destroyForcibly();
        backends.forEach(ProcessHandle::destroyForcibly);
        server.waitFor();
    }

    /** The settings of a sink. */
    public Map<String, Object> settings(String table) {
        return Map.of("url", "postgresql://127.0.0.1:" + port + "/postgres", "user", "postgres", "table", table);
    }

    /** The same with a role that needs a password, and has a schema of its own. */
    public Map<String, Object> settings(String table, String password) {
        return Map.of("url", "postgresql://127.0.0.1:" + port + "/postgres", "user", LOCKED, "password", password,
                "schema", LOCKED, "table", table);
    }

    private Connection connect() throws SQLException {
        return DriverManager
                .getConnection("jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&connectTimeout=2");
    }

    /** Executes statements. */
    public void execute(String sql) throws SQLException {
        try (Connection connection = connect(); Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The rows of a query, columns separated by {@code |}. */
    public List<String> rows(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (found.next()) {
                List<String> columns = new ArrayList<>();
                for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                    columns.add(Optional.ofNullable(found.getString(i)).orElse("-"));
                }
                rows.add(String.join("|", columns));
            }
            return rows;
        }
    }

    @Override
    public void close() throws Exception {
        if (process != null) {
            kill();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
    }
}
