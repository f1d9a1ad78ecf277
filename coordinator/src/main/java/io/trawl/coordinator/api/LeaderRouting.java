package io.trawl.coordinator.api;

import io.trawl.coordinator.leader.LeaderElection;
import io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException;
import io.trawl.http.Call;
import io.trawl.http.CallRefusedException;
import io.trawl.http.CallResponse;
import io.trawl.http.Route;
import io.trawl.http.Route.BodyRule;
import io.trawl.http.Route.Handler;
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

    /** A route that shows a value as JSON. */
    Route show(String path, Shown value) {
        return Route.get(path, look(call -> CallResponse.json(value.of(call))));
    }

    /** A route that only the leader answers. */
    Route change(String method, String path, BodyRule body, Handler here) {
        return Route.change(method, path, body, change(here));
    }

    /** What a route shows. */
    interface Shown {
        Object of(Call call) throws InterruptedException;
    }

    /** A handler that only the leader runs. */
    private Handler change(Handler here) {
        return call -> {
            try {
                if (!services().leader().leading()) {
                    throw new NotLeadingException();
                }
                return call.caller().does(() -> here.answer(call));
            } catch (NotLeadingException e) {
                return elsewhere(call).orElseThrow(() -> e);
            }
        };
    }

    /** Runs a decision in the leader's term, on its thread. */
    <T> T decide(LeaderElection.Decision<T> decision) throws InterruptedException {
        return services().election().decide(decision);
    }

    /** What the leader does if there is one. */
    Handler look(Handler here) {
        return call -> {
            Optional<CallResponse> answer = services().leader().leading() || forwarded(call)
                    ? Optional.empty()
                    : elsewhere(call);
            return answer.isPresent() ? answer.get() : here.answer(call);
        };
    }

    /** What the leader does if there is one, with a body of any length, which is passed on as it comes. */
    Handler stream(Handler here) {
        return call -> {
            if (services().leader().leading()) {
                return here.answer(call);
            }
            refuseForwarded(call);
            Optional<CallResponse> answer = leaderForwarder.pass(services().leader().others(), call);
            return answer.isPresent() ? answer.get() : here.answer(call);
        };
    }

    private Optional<CallResponse> elsewhere(Call call) throws InterruptedException {
        refuseForwarded(call);
        return leaderForwarder.ask(services().leader().others(), call);
    }

    private static void refuseForwarded(Call call) {
        if (forwarded(call)) {
            throw new CallRefusedException(LeaderForwarder.NOT_THE_LEADER, "this coordinator does not lead");
        }
    }

    private static boolean forwarded(Call call) {
        return call.header(LeaderForwarder.MARK).isPresent();
    }

    @Override
    public void close() {
        leaderForwarder.close();
    }
}
