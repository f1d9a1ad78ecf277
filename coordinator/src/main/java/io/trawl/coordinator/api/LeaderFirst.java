package io.trawl.coordinator.api;

import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeading;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decides which coordinator answers. What changes something is done by the leader: here if this process leads, otherwise it is passed on and its answer
 * given back. What only looks is asked of the leader too, so that a change is seen by whoever made it; while nobody leads it is answered from what is
 * known here. Answers 503 until it is open. Thread-safe.
 */
final class LeaderFirst implements AutoCloseable {
    private final AtomicReference<@Nullable Desks> open = new AtomicReference<>();
    private final Forwarder forwarder = new Forwarder();

    void open(Desks desks) {
        open.set(desks);
    }

    /** The desks of this process. */
    Desks desks() {
        Desks desks = open.get();
        if (desks == null) {
            throw new HttpResponseException(503, "starting");
        }
        return desks;
    }

    /** What only the leader does. */
    Handler change(Handler here) {
        return ctx -> {
            try {
                if (!desks().seat().leading()) {
                    throw new NotLeading();
                }
                here.handle(ctx);
            } catch (NotLeading e) {
                give(ctx, elsewhere(ctx).orElseThrow(() -> e));
            }
        };
    }

    /** What the leader does if there is one. */
    Handler look(Handler here) {
        return ctx -> {
            Optional<Forwarder.Answer> answer = desks().seat().leading() || forwarded(ctx) ? Optional.empty() : elsewhere(ctx);
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
            if (forwarded(ctx) && !desks().seat().leading()) {
                throw new HttpResponseException(Forwarder.NOT_THE_LEADER, "this coordinator does not lead");
            }
            Optional<Forwarder.Answer> answer = desks().seat().leading()
                    ? Optional.empty()
                    : forwarder.pass(desks().seat().others(), Forwarder.Question.head(ctx), ctx.bodyInputStream());
            if (answer.isPresent()) {
                give(ctx, answer.get());
            } else {
                here.handle(ctx);
            }
        };
    }

    private Optional<Forwarder.Answer> elsewhere(Context ctx) throws InterruptedException {
        if (forwarded(ctx)) {
            throw new HttpResponseException(Forwarder.NOT_THE_LEADER, "this coordinator does not lead");
        }
        return forwarder.ask(desks().seat().others(), Forwarder.Question.of(ctx));
    }

    private static boolean forwarded(Context ctx) {
        return ctx.header(Forwarder.MARK) != null;
    }

    private static void give(Context ctx, Forwarder.Answer answer) {
        answer.headers().forEach(ctx::header);
        ctx.status(answer.status()).result(answer.body());
    }

    @Override
    public void close() {
        forwarder.close();
    }
}
