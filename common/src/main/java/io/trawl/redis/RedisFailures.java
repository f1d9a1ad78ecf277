package io.trawl.redis;

import io.trawl.ledger.LedgerUnavailable;
import io.trawl.model.InvalidValue;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
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

/** Tells "wait and try again" from a mistake, in what the client library throws. */
final class RedisFailures {
    private static final List<Class<? extends RedisException>> PASSING = List.of(RedisConnectionException.class,
            RedisTimeoutException.class,
            RedisRetryException.class, RedisReconnectedException.class, RedisNodeNotFoundException.class,
            RedisOutOfMemoryException.class,
            RedisReadonlyException.class, RedissonShutdownException.class);
    /** How replies begin that an operator or time can put right; inside a script some of them arrive in the middle of another message. */
    private static final List<String> PASSING_REPLIES = List.of("LOADING ", "BUSY ", "OOM ", "MISCONF ", "READONLY ",
            "MASTERDOWN ", "CLUSTERDOWN ",
            "TRYAGAIN ", "NOREPLICAS ");

    private RedisFailures() {}

    /** @param message makes the whole message from what is wrong */
    static RuntimeException translate(Throwable failure, UnaryOperator<String> message) {
        if (chain(failure).anyMatch(RedisFailures::passes)) {
            return new LedgerUnavailable(message.apply("cannot be used now: " + reason(failure)), failure);
        }
        return new IllegalStateException(message.apply("refused a command: " + reason(failure)), failure);
    }

    private static boolean passes(Throwable failure) {
        String text = String.valueOf(failure.getMessage());
        return PASSING.stream().anyMatch(type -> type.isInstance(failure)) || failure instanceof java.io.IOException
                || PASSING_REPLIES.stream().anyMatch(text::contains);
    }

    /** The mistake to show if the server did not accept the user or the password. */
    static Optional<RuntimeException> refusedLogin(Throwable failure, RedisUrl url) {
        return chain(failure).filter(RedisFailures::refusesLogin).findFirst()
                .map(e -> new InvalidValue(RedisUrl.FIELD, url.toString(),
                        "with the user and the password that the server asks for"));
    }

    private static boolean refusesLogin(Throwable failure) {
        String text = String.valueOf(failure.getMessage());
        return failure instanceof RedisAuthRequiredException || failure instanceof RedisWrongPasswordException
                || Stream.of("WRONGPASS", "NOAUTH", "without any password configured").anyMatch(text::contains);
    }

    private static String reason(Throwable failure) {
        Throwable last = chain(failure).reduce(failure, (before, after) -> after.getMessage() == null ? before : after);
        String text = last.getMessage() == null ? last.getClass().getSimpleName() : last.getMessage();
        return text.lines().findFirst().orElse("")
                .replaceFirst("(\\.? script:|\\.* channel:|\\. Increase|, (command|params|Command)).*", "");
    }

    private static Stream<Throwable> chain(Throwable failure) {
        return Stream.iterate(failure, e -> e != null, Throwable::getCause).limit(20);
    }
}
