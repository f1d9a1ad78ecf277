package io.trawl.embedded;

import io.trawl.embedded.EmbeddedServerException.DataFolderNotWritableException;
import io.trawl.embedded.EmbeddedServerException.ServerStartException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A redis-server with its data in a folder, as a process in its own session, so that Ctrl-C in the terminal does not
 * stop it before its clients. Before a start, it stops the orphan that a killed JVM has left on the same folder,
 * because two servers would destroy the data. It listens on loopback and admits two users: {@code trawl}, whose
 * password stays the same across runs, for clients, without commands that configure, debug, extend or stop the server;
 * and {@code operator}, who may do everything, with a new password for each start. Both passwords are in files that
 * only the owner of the folder can read. Thread-safe.
 */
public final class EmbeddedRedis implements AutoCloseable {
    /** The name of the configuration file in the folder. */
    static final String SETTINGS = "redis.conf";
    private static final int ATTEMPTS = 1000;
    private static final int MILLIS_BETWEEN = 20;
    private final Path folder;
    private final int wantedPort;
    private final StablePorts stablePorts;
    private final RedisPidFile pidFile;
    private final PropertiesFile passwords;
    private final String searchPath;
    private final RedisUser client;
    private RedisUser operator;
    private Optional<String> warning = Optional.empty();
    private @Nullable Process process;
    private int port;

    private EmbeddedRedis(Path folder, int wantedPort, String searchPath) {
        this.folder = folder;
        this.wantedPort = wantedPort;
        this.stablePorts = new StablePorts(folder.resolve("ports.properties"));
        this.pidFile = new RedisPidFile(folder);
        this.passwords = new PropertiesFile(folder.resolve("passwords.properties"));
        this.searchPath = searchPath;
        this.client = RedisUser.in(passwords, "trawl");
        this.operator = RedisUser.in(passwords, "operator");
    }

    /**
     * Starts a server and returns when it has loaded its data.
     *
     * @param folder the server's data; no other process may use it
     * @param port the port to listen on, or 0 for the one of the last run or any free one
     * @throws EmbeddedServerException if it does not start
     */
    public static EmbeddedRedis start(Path folder, int port) {
        return start(folder, port, String.valueOf(System.getenv("PATH")));
    }

    static EmbeddedRedis start(Path folder, int port, String searchPath) {
        try {
            EmbeddedRedis redis = new EmbeddedRedis(OwnerOnly.folder(folder).toRealPath(), port, searchPath);
            redis.start();
            return redis;
        } catch (IOException e) {
            throw new DataFolderNotWritableException(folder, e);
        }
    }

    /**
     * Restarts a stopped or killed server, on its data and the same port, which clients know. Does nothing while the
     * server runs.
     *
     * @throws EmbeddedServerException if it does not start
     */
    public synchronized void start() {
        if (process != null && process.isAlive()) {
            return;
        }
        pidFile.endOrphan(stablePorts.known("redis"), operator);
        // Another program may have taken the port of the last run, and so learnt this password from the question above.
        operator = RedisUser.random(operator.name()).writtenTo(passwords);
        RedisBinary binary = RedisBinary.find(searchPath, folder.resolve("bin"));
        warning = binary.warning();
        port = stablePorts.take("redis", port == 0 ? wantedPort : port);
        try {
            Path settings = OwnerOnly.write(folder.resolve(SETTINGS),
                    RedisConfigFile.text(folder, port, client, operator));
            Path log = folder.resolve("redis.log");
            Process starting = new ProcessBuilder(command(binary, settings)).redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log.toFile())).start();
            starting.getOutputStream().close();
            process = starting;
            ChildWatch.begin(starting.toHandle());
            pidFile.write(starting.toHandle());
            awaitReady(starting, log);
        } catch (IOException e) {
            throw ServerStartException.of("redis-server", folder, e);
        }
    }

    /** Shuts the server down gracefully; the data stays. Does nothing if the server is stopped. */
    public synchronized void stop() {
        Process stopping = process;
        if (stopping != null) {
            process = null;
            RedisProcess.stop(stopping.toHandle());
        }
    }

    /** Why the server cannot write to its folder, and what to do; empty if it can. */
    public Optional<String> trouble() {
        return new DataDisk(folder).trouble();
    }

    /** Whether the server has ended although this object has not stopped it. */
    public synchronized boolean fallen() {
        return process != null && !process.isAlive();
    }

    /** Kills the server like {@code kill -9}, for tests. */
    public synchronized void kill() {
        Process dying = process;
        if (dying != null) {
            process = null;
            dying.destroyForcibly();
            RedisProcess.ends(dying.toHandle(), RedisProcess.STOP_TIMEOUT);
        }
    }

    /** {@link #stop()} and {@link #start()}. */
    public synchronized void restart() {
        stop();
        start();
    }

    /** {@code redis://trawl:password@host:port} for clients. It stays the same across restarts if the port is free. */
    public synchronized String url() {
        return url(client);
    }

    /** {@code redis://operator:password@host:port} for maintenance, until the next start. */
    public synchronized String operatorUrl() {
        return url(operator);
    }

    private String url(RedisUser user) {
        return "redis://" + user.inUrl() + BrokerSettings.LOOPBACK + ":" + port;
    }

    /** One line for the operator, if the redis-server that runs gets no security fixes. */
    public synchronized Optional<String> warning() {
        return warning;
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
                    throw new ServerStartException("redis-server ended at once: " + trouble().orElse(lastLine(log)));
                }
                if (RedisProcess.ready(port, operator)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        RedisProcess.stop(starting.toHandle());
        throw new ServerStartException("redis-server does not answer; see " + log);
    }

    private static String lastLine(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
        return lines.isEmpty() ? "see " + log : lines.getLast();
    }

    /** The configuration file of the embedded redis-server. */
    private static final class RedisConfigFile {
        private RedisConfigFile() {}

        /**
         * Redis writes to disk before it acknowledges, and never evicts keys. Small hashes keep the compact encoding,
         * which makes a ledger entry 22 bytes instead of about 100. Version 6.2 and all later versions accept the names
         * with {@code ziplist}. Clients may ask for the state and the settings of the server, and change keys; all
         * other commands of an administrator, and those that Redis calls dangerous, are not theirs. No client can log
         * in as the default user, but with its rights Redis loads its own file: without them it silently skips what
         * scripts wrote.
         */
        static String text(Path folder, int port, RedisUser client, RedisUser operator) {
            return String.format(Locale.ROOT, """
                    # Written at every start.
                    bind 127.0.0.1
                    port %d
                    dir %s
                    appendonly yes
                    appendfsync always
                    save ""
                    maxmemory-policy noeviction
                    hash-max-ziplist-entries 512
                    hash-max-ziplist-value 64
                    loglevel notice
                    user default off resetpass ~* &* +@all
                    user %s on >%s ~* +@all -@admin -@dangerous -script +script|load +info +config|get
                    user %s on >%s ~* &* +@all
                    """, port, quoted(folder.toString()), client.name(), client.password(), operator.name(),
                    operator.password());
        }

        private static String quoted(String text) {
            return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }
}
