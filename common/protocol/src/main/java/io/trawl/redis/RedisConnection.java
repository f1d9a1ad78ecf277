package io.trawl.redis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.LedgerUnavailableException.WritesRefusedException;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.redisson.Redisson;
import org.redisson.api.RFuture;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RedissonClient;
import org.redisson.api.redisnode.RedisNode.InfoSection;
import org.redisson.client.RedisException;
import org.redisson.client.codec.ByteArrayCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one Redis client of a process. A call ends within about {@link #LONGEST_CALL} plus, if it had to queue,
 * {@link #LONGEST_QUEUE}; a server that is unreachable, starting or not answering causes a
 * {@link LedgerUnavailableException}. At most {@link RedisServers#CONNECTIONS} calls are in flight: thousands of
 * virtual threads on a small pool would wait for connections until they time out. The others wait in the order in which
 * they came, so a module does not starve another one of the process: each call waits only for earlier ones.
 * Thread-safe.
 */
final class RedisConnection implements AutoCloseable {
    private static final double MEGABYTE = 1e6;
    private static final Duration LONGEST_CALL = Duration.ofSeconds(15);
    /** More than a call has keys. */
    private static final int MOST_REMOVED = 20_000;
    private static final Logger LOG = LoggerFactory.getLogger(RedisConnection.class);
    private static final Duration LONGEST_QUEUE = Duration.ofSeconds(15);

    private final RedisServers servers;
    private final Time time;
    private final RedissonClient client;
    private volatile Optional<String> refusal = Optional.empty();
    private final Semaphore permits = new Semaphore(RedisServers.CONNECTIONS, true);

    private RedisConnection(RedisServers servers, Time time) {
        this.servers = servers;
        this.time = time;
        this.client = Redisson.create(servers.config().setLazyInitialization(true).setCodec(ByteArrayCodec.INSTANCE)
                .setUseScriptCache(true).setThreads(2).setNettyThreads(2).setTcpNoDelay(true).setTcpKeepAlive(true));
    }

    /**
     * Connects and runs one command.
     *
     * @throws LedgerUnavailableException if the server cannot be reached (yet)
     * @throws io.trawl.model.InvalidValueException if the server rejects the user, the password or the database, or is
     * of another kind than the one that is named
     */
    static RedisConnection open(RedisServers servers, Time time) {
        RedisConnection connection = new RedisConnection(servers, time);
        try {
            connection.call("connect", client -> client.getKeys().randomKeyAsync());
            connection.standsAlone();
            return connection;
        } catch (RuntimeException e) {
            connection.close();
            throw RedisFailures.refusedServers(e, servers).orElse(e);
        }
    }

    /** A node of a cluster answers for its own keys only, and would refuse the others in the midst of a crawl. */
    private void standsAlone() {
        if (servers instanceof RedisUrl
                && info(InfoSection.SERVER).stream().anyMatch(server -> "cluster".equals(server.get("redis_mode")))) {
            throw servers.refused(RedisFailures.NO_CLUSTER);
        }
    }

    /** Of each master; empty if they do not tell this user. */
    List<Map<String, String>> info(InfoSection section) {
        return call("info", client -> CompletableFuture.completedFuture(masters(client, section)));
    }

    private List<Map<String, String>> masters(RedissonClient all, InfoSection section) {
        try {
            return servers.masters(all).stream().map(master -> master.info(section)).toList();
        } catch (RedisException e) {
            if (RedisFailures.passes(e)) {
                throw e;
            }
            LOG.debug("Redis does not let Trawl read INFO: {}", e.getMessage());
            return List.of();
        }
    }

    RedisServers servers() {
        return servers;
    }

    /** Runs a script that returns one string of bytes. */
    byte[] bytes(RedisScript redisScript, String key, byte[]... arguments) {
        return bytes(redisScript, List.of(key), arguments);
    }

    /** The same. */
    byte[] bytes(RedisScript redisScript, List<String> keys, byte[]... arguments) {
        return run(redisScript, ReturnType.VALUE, keys, arguments);
    }

    /** Runs a script that returns a number. */
    long number(RedisScript redisScript, String key, byte[]... arguments) {
        return number(redisScript, List.of(key), arguments);
    }

    /** The same. */
    long number(RedisScript redisScript, List<String> keys, byte[]... arguments) {
        Long number = run(redisScript, ReturnType.LONG, keys, arguments);
        return number;
    }

    /** Runs a script that returns strings of bytes. */
    List<byte[]> list(RedisScript redisScript, String key, byte[]... arguments) {
        return list(redisScript, List.of(key), arguments);
    }

    /** The same. */
    List<byte[]> list(RedisScript redisScript, List<String> keys, byte[]... arguments) {
        return run(redisScript, ReturnType.LIST, keys, arguments);
    }

    /** A call of a script, whose keys are all in one place. */
    record ScriptCall(List<String> keys, List<byte[]> arguments) {}

    /** Runs a script that returns one string of bytes, for each call; those of one master take one round trip. */
    List<byte[]> bytesOfEach(RedisScript redisScript, List<ScriptCall> calls) {
        return run(redisScript, client -> {
            List<CompletableFuture<byte[]>> replies = calls.stream()
                    .map(call -> RedisConnection.<byte[]>eval(client, redisScript, ReturnType.VALUE, call.keys(),
                            call.arguments().toArray(byte[][]::new)).toCompletableFuture())
                    .toList();
            return CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new))
                    .thenApply(_ -> replies.stream().map(CompletableFuture::join).toList());
        });
    }

    private <T> T run(RedisScript redisScript, ReturnType type, List<String> keys, byte[]... arguments) {
        return run(redisScript, client -> eval(client, redisScript, type, keys, arguments));
    }

    private static <T> RFuture<T> eval(RedissonClient client, RedisScript redisScript, ReturnType type,
            List<String> keys, byte[]... arguments) {
        return client.getScript(ByteArrayCodec.INSTANCE).evalAsync(keys.getFirst(), Mode.READ_WRITE, redisScript.text(),
                type, List.copyOf(keys), (Object[]) arguments);
    }

    private <T> T run(RedisScript redisScript, Function<RedissonClient, Future<T>> command) {
        for (int removed = 0;; removed++) {
            try {
                return call(redisScript.word(), command);
            } catch (RedisFailures.RemovedKeyException e) {
                LOG.warn(
                        "Redis: the key {} held a value of another type and is removed; what it said is not known any more, so work may repeat",
                        e.key());
                if (removed == MOST_REMOVED) {
                    throw e;
                }
            }
        }
    }

    /** Runs a command and waits for its reply. */
    <T> T call(String what, Function<RedissonClient, Future<T>> command) {
        long begin = time.nanos();
        try {
            if (!permits.tryAcquire(LONGEST_QUEUE.toMillis(), MILLISECONDS)) {
                throw new LedgerUnavailableException(message(what, "is overloaded", begin), new TimeoutException());
            }
            try {
                return answer(command.apply(client));
            } finally {
                permits.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LedgerUnavailableException(message(what, "was interrupted", begin), e);
        } catch (TimeoutException e) {
            throw new LedgerUnavailableException(message(what, "does not answer", begin), e);
        } catch (ExecutionException e) {
            throw failure(what, e.getCause() == null ? e : e.getCause(), begin);
        } catch (LedgerUnavailableException e) {
            throw e;
        } catch (RuntimeException e) {
            throw failure(what, e, begin);
        }
    }

    private RuntimeException failure(String what, Throwable cause, long begin) {
        Optional<String> why = RedisFailures.refusedWrite(cause);
        if (why.isEmpty()) {
            return RedisFailures.translate(cause, reason -> message(what, reason, begin));
        }
        WritesRefusedException refused = new WritesRefusedException(
                why.get() + (why.get().equals(RedisFailures.FULL) ? memory() : ""), cause);
        refusal = Optional.of(String.valueOf(refused.getMessage()));
        return refused;
    }

    /** Why the server has refused a write; empty again after {@link #written}. */
    Optional<String> refusal() {
        return refusal;
    }

    /** The server has taken a write that needs memory. */
    void written() {
        refusal = Optional.empty();
    }

    /** What each master uses and may use; nothing if it does not tell this user. */
    private String memory() {
        try {
            return masters(client, InfoSection.MEMORY).stream()
                    .map(memory -> String.format(Locale.ROOT, " (%.1f MB used, limit %.1f MB)",
                            Long.parseLong(memory.getOrDefault("used_memory", "")) / MEGABYTE,
                            Long.parseLong(memory.getOrDefault("maxmemory", "")) / MEGABYTE))
                    .collect(Collectors.joining());
        } catch (RedisException | NumberFormatException e) {
            LOG.debug("cannot read the memory usage of Redis: {}", e.getMessage());
            return "";
        }
    }

    private static <T> T answer(Future<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        boolean answered = false;
        try {
            T answer = future.get(LONGEST_CALL.toMillis(), MILLISECONDS);
            answered = true;
            return answer;
        } finally {
            if (!answered) {
                future.cancel(false);
            }
        }
    }

    private String message(String what, String reason, long begin) {
        return "Redis at " + servers + " " + reason + " (" + what + ", after "
                + Duration.ofNanos(time.nanos() - begin).toMillis() + " ms)";
    }

    /** A number or a name as a script argument. */
    static byte[] text(Object value) {
        return value.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        client.shutdown(0, 2, java.util.concurrent.TimeUnit.SECONDS);
    }
}
