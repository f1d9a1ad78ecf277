package io.trawl.embedded;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A redis-server with its data in a folder, as a process in a session of its own, so that Ctrl-C in the terminal does not reach it before those who
 * still write to it. One that a killed JVM has left behind on the same folder is stopped before the next one starts: two would destroy the data.
 * Thread-safe.
 */
public final class EmbeddedRedis implements AutoCloseable {
    private static final int ATTEMPTS = 1000;
    private static final int MILLIS_BETWEEN = 20;
    private final Path folder;
    private final int wantedPort;
    private final Ports ports;
    private final RedisLease lease;
    private final String searchPath;
    private @Nullable Process process;
    private int port;

    private EmbeddedRedis(Path folder, int wantedPort, String searchPath) {
        this.folder = folder;
        this.wantedPort = wantedPort;
        this.ports = new Ports(folder.resolve("ports.properties"));
        this.lease = new RedisLease(folder);
        this.searchPath = searchPath;
    }

    /**
     * Starts a server and returns when it has read its data.
     *
     * @param folder its data; nobody else may use it
     * @param port the port to listen on, or 0 for the one of the last run or any free one
     * @throws EmbeddedFailure if it does not start
     */
    public static EmbeddedRedis start(Path folder, int port) {
        return start(folder, port, String.valueOf(System.getenv("PATH")));
    }

    static EmbeddedRedis start(Path folder, int port, String searchPath) {
        try {
            EmbeddedRedis redis = new EmbeddedRedis(Files.createDirectories(folder).toRealPath(), port, searchPath);
            redis.start();
            return redis;
        } catch (IOException e) {
            throw new DataFolderNotWritable(folder, e);
        }
    }

    /** Starts again what was stopped or killed, on the same port if that is free. Does nothing while it runs. */
    public synchronized void start() {
        if (process != null && process.isAlive()) {
            return;
        }
        lease.endOrphan(ports.known("redis"));
        RedisBinary binary = RedisBinary.find(searchPath, folder.resolve("bin"));
        port = ports.take("redis", wantedPort);
        try {
            Path settings = Files.writeString(folder.resolve("redis.conf"), RedisSettings.text(folder, port),
                    StandardCharsets.UTF_8);
            Path log = folder.resolve("redis.log");
            Process starting = new ProcessBuilder(command(binary, settings)).redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log.toFile())).start();
            starting.getOutputStream().close();
            process = starting;
            lease.write(starting.toHandle());
            awaitReady(starting, log);
        } catch (IOException e) {
            throw new ServerFailed("redis-server did not start: " + EmbeddedFailure.reason(e), e);
        }
    }

    /** Stops it as an operator would; the data stays. Does nothing if it is stopped. */
    public synchronized void stop() {
        Process stopping = process;
        if (stopping != null) {
            process = null;
            RedisProcess.stop(stopping.toHandle(), port);
        }
    }

    /** Kills it as {@code kill -9} does, for tests. */
    public synchronized void kill() {
        Process dying = process;
        if (dying != null) {
            process = null;
            dying.destroyForcibly();
            RedisProcess.ends(dying.toHandle(), RedisProcess.TO_END);
        }
    }

    /** {@link #stop()} and {@link #start()}. */
    public synchronized void restart() {
        stop();
        start();
    }

    /** {@code redis://host:port} for clients. */
    public synchronized String url() {
        return "redis://" + BrokerSettings.LOOPBACK + ":" + port;
    }

    @Override
    public void close() {
        stop();
    }

    private List<String> command(RedisBinary binary, Path settings) {
        List<String> command = new ArrayList<>();
        Path setsid = Path.of("/usr/bin/setsid");
        if (Files.isExecutable(setsid)) {
            command.add(setsid.toString());
        }
        command.add(binary.file().toString());
        command.add(settings.toString());
        return command;
    }

    private void awaitReady(Process starting, Path log) throws IOException {
        try {
            for (int i = 0; i < ATTEMPTS; i++) {
                if (starting.waitFor(MILLIS_BETWEEN, TimeUnit.MILLISECONDS)) {
                    throw new ServerFailed("redis-server ended at once: " + lastLine(log));
                }
                if (RedisProcess.ready(port)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        stop();
        throw new ServerFailed("redis-server does not answer; see " + log);
    }

    private static String lastLine(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
        return lines.isEmpty() ? "see " + log : lines.getLast();
    }
}
