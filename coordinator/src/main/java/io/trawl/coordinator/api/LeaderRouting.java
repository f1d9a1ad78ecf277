package io.trawl.coordinator.api;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.trawl.coordinator.leader.LeaderElection;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException;
import io.trawl.http.CallRefusedException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decides which coordinator answers. The leader makes all changes: this process if it leads, otherwise it forwards the
 * call and returns the leader's response. It forwards reads as well, so that callers read their own writes; without a
 * leader it answers reads from its own state. Answers 503 until it is open. Thread-safe.
 */
final class LeaderRouting implements AutoCloseable {
    private final AtomicReference<@Nullable ApiServices> open = new AtomicReference<>();
    private final LeaderForwarder leaderForwarder;

    LeaderRouting(LeaderForwarder leaderForwarder) {
        this.leaderForwarder = leaderForwarder;
    }

    void open(ApiServices services) {
        open.set(services);
    }

    /** The services of this process. */
    ApiServices services() {
        ApiServices services = open.get();
        if (services == null) {
            throw CallRefusedException.starting();
        }
        return services;
    }

    /** A handler that only the leader runs. */
    Handler change(Handler here) {
        return ctx -> {
            try {
                if (!services().leader().leading()) {
                    throw new NotLeadingException();
                }
                CallBodies.caller(ctx).does(() -> {
                    here.handle(ctx);
                    return true;
                });
            } catch (NotLeadingException e) {
                give(ctx, elsewhere(ctx).orElseThrow(() -> e));
            }
        };
    }

    /** Runs a decision in the leader's term, on its thread. */
    <T> T decide(LeaderElection.Decision<T> decision) throws InterruptedException {
        return services().election().decide(decision);
    }

    /** What the leader does if there is one. */
    Handler look(Handler here) {
        return ctx -> {
            Optional<LeaderForwarder.Answer> answer = services().leader().leading() || forwarded(ctx)
                    ? Optional.empty()
                    : elsewhere(ctx);
            if (answer.isPresent()) {
                give(ctx, answer.get());
            } else {
                here.handle(ctx);
            }
        };
    }

    /** What the leader does if there is one, with a body of any length, which is passed on as it comes. */
    Handler stream(Handler here) {
        return ctx -> {
            if (forwarded(ctx) && !services().leader().leading()) {
                throw new CallRefusedException(LeaderForwarder.NOT_THE_LEADER, "this coordinator does not lead");
            }
            Optional<LeaderForwarder.Answer> answer = services().leader().leading()
                    ? Optional.empty()
                    : leaderForwarder.pass(services().leader().others(), LeaderForwarder.Question.head(ctx),
                            ctx.bodyInputStream());
            if (answer.isPresent()) {
                give(ctx, answer.get());
            } else {
                here.handle(ctx);
            }
        };
    }

    private Optional<LeaderForwarder.Answer> elsewhere(Context ctx) throws InterruptedException {
        if (forwarded(ctx)) {
            throw new CallRefusedException(LeaderForwarder.NOT_THE_LEADER, "this coordinator does not lead");
        }
        return leaderForwarder.ask(services().leader().others(), LeaderForwarder.Question.of(ctx));
    }

    private static boolean forwarded(Context ctx) {
        return ctx.header(LeaderForwarder.MARK) != null;
    }

    private static void give(Context ctx, LeaderForwarder.Answer answer) {
        answer.headers().forEach(ctx::header);
        ctx.status(answer.status()).result(answer.body());
    }

    @Override
    public void close() {
        leaderForwarder.close();
    }
}
