package io.trawl.redis;

import static org.awaitility.Awaitility.await;

import io.trawl.embedded.EmbeddedRedis;
import io.trawl.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A redis-server without a broker, which a test may kill, freeze, and query without the client under test. */
final class TestRedis implements AutoCloseable {
    private final Path folder;
    private final EmbeddedRedis server;
    private Optional<Process> other = Optional.empty();

    private TestRedis(Path folder) {
        this.folder = folder;
        this.server = EmbeddedRedis.start(folder, 0);
    }

    static TestRedis start() {
        try {
            return new TestRedis(Files.createTempDirectory("trawl-redis-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The server shared by tests that do not change it; each has its own {@link #namespace()}. */
    static TestRedis shared() {
        return Shared.SERVER;
    }

    static String namespace() {
        return "t" + UUID.randomUUID().toString().substring(0, 8) + ".";
    }

    RedisStore store(String namespace) {
        return RedisStore.connect(RedisServers.at(url()), namespace, "cluster", "topic", Time.system());
    }

    String url() {
        return server.url();
    }

    /** The URL with other words before the {@code @}; none if they are empty. */
    String url(String user) {
        return url().replaceFirst("//.*@", user.isEmpty() ? "//" : "//" + user + "@");
    }

    void kill() {
        server.kill();
    }

    void startAgain() {
        server.start();
    }

    /** Kills it and starts the same program on the same port with these arguments, until this object is closed. */
    void startAgainWith(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(program().toString());
        command.add(folder.resolve("redis.conf").toString());
        command.addAll(List.of(arguments));
        kill();
        other = Optional.of(new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(folder.resolve("other.log").toFile()).start());
        await().ignoreExceptions()
                .failFast("redis-server " + arguments[0] + " has ended", () -> !other.orElseThrow().isAlive())
                .until(() -> command("PING").equals("PONG"));
    }

    Path program() {
        Path program = Path
                .of(ProcessHandle.of(info("process_id")).flatMap(process -> process.info().command()).orElseThrow());
        // Debian's redis-server is a link to redis-check-rdb, which acts as the server only under the name of the link.
        Path link = program.resolveSibling("redis-server");
        return Files.exists(link) ? link : program;
    }

    /** Makes a link to the program that runs. */
    void linkProgram(Path link) throws IOException {
        Files.createSymbolicLink(link, program());
    }

    /** Allows the command DEBUG, which Redis 7 and later refuse by default. */
    void allowDebugCommand() throws IOException {
        if (!command("CONFIG GET enable-debug-command").isEmpty()) {
            startAgainWith("--enable-debug-command", "local");
        }
    }

    /** The folder of its data. */
    Path folder() {
        return folder;
    }

    /** {@code STOP} makes it accept connections without ever answering; {@code CONT} ends that. */
    void signal(long process, String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(process)).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Runs a command as the operator; words without spaces. The parts of a list are joined by line ends; "nothing" is
     * empty.
     */
    String command(String line) {
        URI uri = URI.create(server.operatorUrl());
        return answers(uri.getPort(), "AUTH " + uri.getUserInfo().replace(':', ' '), line).getLast();
    }

    /** The answers of a server on loopback to commands on one connection. */
    static List<String> answers(int port, String... lines) {
        List<String> answers = new ArrayList<>();
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(20_000);
            for (String line : lines) {
                socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                answers.add(answer(socket.getInputStream()));
            }
            return answers;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String answer(InputStream in) throws IOException {
        String head = line(in);
        if (head.startsWith("$")) {
            int length = Math.max(0, Integer.parseInt(head.substring(1)));
            byte[] text = in.readNBytes(length);
            in.skipNBytes(head.equals("$-1") ? 0 : 2);
            return new String(text, StandardCharsets.ISO_8859_1);
        }
        if (!head.startsWith("*")) {
            return head.substring(1);
        }
        List<String> parts = new ArrayList<>();
        for (int left = Integer.parseInt(head.substring(1)); left > 0; left--) {
            parts.add(answer(in));
        }
        return String.join("\n", parts);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("ended after: " + text);
            }
            text.append((char) c);
        }
        return text.toString().stripTrailing();
    }

    /** A number of {@code INFO}. */
    long info(String name) {
        return Long.parseLong(command("INFO all").lines().filter(line -> line.startsWith(name + ":")).findFirst()
                .orElseThrow().substring(name.length() + 1));
    }

    /** How often a command was run since the server started. */
    long calls(String command) {
        return command("INFO commandstats").lines().filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceFirst(".*:calls=([0-9]+),.*", "$1"))).findFirst()
                .orElse(0);
    }

    List<String> keys(String pattern) {
        return command("KEYS " + pattern).lines().filter(line -> !line.isEmpty()).sorted().toList();
    }

    @Override
    public void close() {
        server.kill();
        other.ifPresent(Process::destroyForcibly);
        try (var files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Shared {
        static final TestRedis SERVER = start();

        static {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(SERVER::close));
        }
    }
}
