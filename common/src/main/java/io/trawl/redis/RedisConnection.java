package io.trawl.redis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.trawl.ledger.LedgerUnavailable;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.redisson.Redisson;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.config.Config;
import org.redisson.config.ConstantDelay;
import org.redisson.config.EqualJitterDelay;

/**
 * The one client of a process. A call ends within about {@link #LONGEST_CALL} and, if it had to queue, {@link #LONGEST_QUEUE}; what cannot be reached,
 * is starting or does not answer is a {@link LedgerUnavailable}. At most {@link #CONNECTIONS} calls are under way at a time: thousands of virtual threads on a small
 * pool would wait for connections until they time out. Thread-safe.
 */
final class RedisConnection implements AutoCloseable {
    static final int CONNECTIONS = 16;
    private static final Duration LONGEST_CALL = Duration.ofSeconds(15);
    private static final Duration LONGEST_QUEUE = Duration.ofSeconds(15);

    private final RedisUrl url;
    private final Time time;
    private final RedissonClient client;
    private final Semaphore permits = new Semaphore(CONNECTIONS);

    private RedisConnection(RedisUrl url, Time time) {
        this.url = url;
        this.time = time;
        this.client = Redisson.create(config(url));
    }

    /**
     * Connects, and tries one command.
     *
     * @throws LedgerUnavailable if the server cannot be reached (yet)
     * @throws io.trawl.model.InvalidValue if it does not accept the user or the password
     */
    static RedisConnection open(RedisUrl url, Time time) {
        RedisConnection connection = new RedisConnection(url, time);
        try {
            connection.call("connect", client -> client.getKeys().randomKeyAsync());
            return connection;
        } catch (RuntimeException e) {
            connection.close();
            throw RedisFailures.refusedLogin(e, url).orElse(e);
        }
    }

    private static Config config(RedisUrl url) {
        Config config = new Config().setLazyInitialization(true).setCodec(ByteArrayCodec.INSTANCE).setUseScriptCache(true)
                .setThreads(2)
                .setNettyThreads(2).setTcpNoDelay(true).setTcpKeepAlive(true);
        url.user().ifPresent(config::setUsername);
        url.password().ifPresent(config::setPassword);
        config.useSingleServer().setAddress(url.address()).setDatabase(url.database()).setClientName("trawl")
                .setConnectionPoolSize(CONNECTIONS)
                .setConnectionMinimumIdleSize(1).setSubscriptionConnectionPoolSize(1).setSubscriptionConnectionMinimumIdleSize(0)
                .setConnectTimeout(3000).setTimeout(3000).setRetryAttempts(2)
                .setRetryDelay(new ConstantDelay(Duration.ofMillis(200)))
                .setReconnectionDelay(new EqualJitterDelay(Duration.ofMillis(50), Duration.ofSeconds(1)))
                .setPingConnectionInterval(10_000);
        return config;
    }

    /** Runs a script that returns one string of bytes. */
    byte[] bytes(Script script, String key, byte[]... arguments) {
        return run(script, ReturnType.VALUE, key, arguments);
    }

    /** Runs a script that returns a number. */
    long number(Script script, String key, byte[]... arguments) {
        Long number = run(script, ReturnType.LONG, key, arguments);
        return number;
    }

    /** Runs a script that returns strings of bytes. */
    List<byte[]> list(Script script, String key, byte[]... arguments) {
        return run(script, ReturnType.LIST, key, arguments);
    }

    private <T> T run(Script script, ReturnType type, String key, byte[]... arguments) {
        return call(script.word(),
                client -> client.getScript(ByteArrayCodec.INSTANCE).evalAsync(key, Mode.READ_WRITE, script.text(), type,
                        List.of(key),
                        (Object[]) arguments));
    }

    /** Runs any command and waits for its answer. */
    <T> T call(String what, Function<RedissonClient, Future<T>> command) {
        long begin = time.nanos();
        try {
            if (!permits.tryAcquire(LONGEST_QUEUE.toMillis(), MILLISECONDS)) {
                throw new LedgerUnavailable(message(what, "is overloaded", begin), new TimeoutException());
            }
            try {
                return answer(command.apply(client));
            } finally {
                permits.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LedgerUnavailable(message(what, "was not waited for: interrupted", begin), e);
        } catch (TimeoutException e) {
            throw new LedgerUnavailable(message(what, "does not answer", begin), e);
        } catch (ExecutionException e) {
            throw RedisFailures.translate(e.getCause() == null ? e : e.getCause(), reason -> message(what, reason, begin));
        } catch (LedgerUnavailable e) {
            throw e;
        } catch (RuntimeException e) {
            throw RedisFailures.translate(e, reason -> message(what, reason, begin));
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
        return "Redis at " + url + " " + reason + " (" + what + ", after " + Duration.ofNanos(time.nanos() - begin).toMillis()
                + " ms)";
    }

    /** A number or a name as a script wants it. */
    static byte[] text(Object value) {
        return value.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        client.shutdown(0, 2, java.util.concurrent.TimeUnit.SECONDS);
    }
}
