package io.trawl.redis;

import io.trawl.ledger.LedgerUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.redisson.RedissonShutdownException;
import org.redisson.client.RedisAuthRequiredException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisOutOfMemoryException;
import org.redisson.client.RedisReadonlyException;
import org.redisson.client.RedisReconnectedException;
import org.redisson.client.RedisRetryException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.RedisWrongPasswordException;

/** Separates temporary failures from errors among the exceptions of the client library. */
final class RedisFailures {
    private static final List<Class<? extends RedisException>> PASSING = List.of(RedisConnectionException.class,
            RedisTimeoutException.class, RedisRetryException.class, RedisReconnectedException.class,
            RedisNodeNotFoundException.class, RedisOutOfMemoryException.class, RedisReadonlyException.class,
            RedissonShutdownException.class);
    /**
     * Codes of replies that an operator or time can resolve and that the client does not map to a type: it does not
     * know {@code MISCONF}, and Redis 6.2 puts the code of a command that a script calls in the middle of another
     * message.
     */
    private static final List<String> PASSING_REPLIES = List.of("MISCONF ", "READONLY ", "NOREPLICAS ",
            "OOM command not allowed");

    /** Of a server that has used up its memory. */
    static final String FULL = "memory is full";
    /** What the URL of a node of a cluster is not. */
    static final String NO_CLUSTER = "of a server that stands alone: this one is a node of a Redis Cluster, whose nodes are named by the file in "
            + RedisConfigFile.FIELD;
    private static final Pattern REMOVED = Pattern.compile("removed <(.*)>", Pattern.DOTALL);

    private RedisFailures() {}

    /** A script has removed a key that held a value of another type. Called again, it finds no value there. */
    static final class RemovedKeyException extends IllegalStateException {
        private final String key;

        RemovedKeyException(String key, Throwable failure) {
            super("held a value of another type: " + key, failure);
            this.key = key;
        }

        String key() {
            return key;
        }
    }

    /** @param message builds the whole message from the reason */
    static RuntimeException translate(Throwable failure, UnaryOperator<String> message) {
        if (passes(failure)) {
            return new LedgerUnavailableException(message.apply("cannot be used now: " + reason(failure)), failure);
        }
        Optional<String> removed = chain(failure).map(e -> REMOVED.matcher(String.valueOf(e.getMessage())))
                .filter(Matcher::find).map(found -> found.group(1)).findFirst();
        if (removed.isPresent()) {
            return new RemovedKeyException(removed.get(), failure);
        }
        return new IllegalStateException(message.apply("refused a command: " + reason(failure)), failure);
    }

    /** Why the server takes no writes, if that is the failure. */
    static Optional<String> refusedWrite(Throwable failure) {
        return chain(failure).flatMap(e -> refusal(e, String.valueOf(e.getMessage())).stream()).findFirst();
    }

    private static Optional<String> refusal(Throwable e, String text) {
        if (e instanceof RedisOutOfMemoryException || text.contains("OOM command not allowed")) {
            return Optional.of(FULL);
        }
        if (e instanceof RedisReadonlyException || text.contains("READONLY ")) {
            return Optional.of("this server is a read-only replica");
        }
        if (text.contains("NOREPLICAS ")) {
            return Optional.of("too few of its replicas are connected");
        }
        int failed = text.indexOf("MISCONF ");
        return failed < 0
                ? Optional.empty()
                : Optional.of(
                        "it cannot write to its disk (" + brief(text.substring(failed + "MISCONF ".length())) + ")");
    }

    /** Whether a retry may succeed. */
    static boolean passes(Throwable failure) {
        return chain(failure).anyMatch(RedisFailures::passesAlone);
    }

    private static boolean passesAlone(Throwable failure) {
        String text = String.valueOf(failure.getMessage());
        return PASSING.stream().anyMatch(type -> type.isInstance(failure)) || failure instanceof java.io.IOException
                || PASSING_REPLIES.stream().anyMatch(text::contains);
    }

    /** The error to show if the server rejected the user, the password or the database, or is of another kind. */
    static Optional<RuntimeException> refusedServers(Throwable failure, RedisServers servers) {
        return chain(failure).flatMap(e -> refusedPart(e).stream()).findFirst().map(servers::refused);
    }

    private static Optional<String> refusedPart(Throwable failure) {
        if (refusesLogin(failure)) {
            return Optional.of("with the user and the password that the server asks for");
        }
        String text = String.valueOf(failure.getMessage());
        if (text.contains("unknown command 'RANDOMKEY'")) {
            return Optional.of("of a server with data: this one is a Sentinel, whose masters are named by the file in "
                    + RedisConfigFile.FIELD);
        }
        return text.contains("DB index is out of range") || text.contains("SELECT is not allowed in cluster mode")
                ? Optional.of("with a database that the server has")
                : Optional.empty();
    }

    private static boolean refusesLogin(Throwable failure) {
        return failure instanceof RedisAuthRequiredException || failure instanceof RedisWrongPasswordException
                || String.valueOf(failure.getMessage()).contains("without any password configured");
    }

    private static String reason(Throwable failure) {
        Throwable last = chain(failure).reduce(failure, (before, after) -> after.getMessage() == null ? before : after);
        String text = last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
        return brief(text);
    }

    /** Without what the client adds, and what the server explains. */
    private static String brief(String text) {
        return text.lines().findFirst().orElse("").replaceFirst(
                "(\\.? script:|\\.{0,3} channel:|\\. Increase|\\. Commands that|! java\\.|, (command|params|Command)).*",
                "");
    }

    private static Stream<Throwable> chain(Throwable failure) {
        return Stream.iterate(failure, e -> e != null, Throwable::getCause).limit(20);
    }
}
