package io.trawl.coordinator.workers;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecord;
import io.trawl.coordinator.workers.WorkerCalls.Reply;
import io.trawl.model.MID;
import io.trawl.module.Registrar;
import io.trawl.module.Summary;
import java.time.Duration;

/** Asks modules for their summaries, at their own addresses (S10). Thread-safe; calls block. */
public final class ModuleSummaries {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private final WorkerCalls calls;
    private final Registrar registrar;

    /** With these ways to ask. */
    public ModuleSummaries(WorkerCalls calls, Registrar registrar) {
        this.calls = calls;
        this.registrar = registrar;
    }

    /**
     * The summary of a module. Only addresses that stand in the registrar are asked.
     *
     * @throws UnknownModule if no live module has that MID
     * @throws SilentModule if it does not answer in time, or not with a summary
     */
    public Summary of(MID mid) throws InterruptedException {
        if (registrar.all().stream().noneMatch(r -> r.mid().equals(mid))) {
            throw new UnknownModule(mid);
        }
        return switch (calls.get(mid, "/summary", LIMIT)) {
            case Reply.Done(byte[] json) -> summary(mid, json);
            case Reply.Turned(int status, String detail, _) -> throw new SilentModule(mid, status + " " + detail);
            case Reply.Silent(String why) -> throw new SilentModule(mid, why);
        };
    }

    private static Summary summary(MID mid, byte[] json) {
        try {
            return Json.read(json, Summary.class);
        } catch (MalformedRecord e) {
            throw new SilentModule(mid, "its answer is no summary");
        }
    }
}
