package io.trawl.coordinator.probe;

import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.coordinator.probe.WorkerCalls.WorkerReply;
import io.trawl.model.MID;
import io.trawl.module.ModuleSummary;
import io.trawl.module.Registrar;
import java.time.Duration;

/** Reads the summaries of modules at their addresses (S10). Thread-safe; calls block. */
public final class ModuleSummaryCalls {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private final WorkerCalls calls;
    private final Registrar registrar;

    public ModuleSummaryCalls(WorkerCalls calls, Registrar registrar) {
        this.calls = calls;
        this.registrar = registrar;
    }

    /**
     * The summary of a module. Only registered addresses are called.
     *
     * @throws UnknownModuleException if no live module has this MID
     * @throws SilentModuleException if it does not answer with a summary in time
     */
    public ModuleSummary of(MID mid) throws InterruptedException {
        if (registrar.all().stream().noneMatch(r -> r.mid().equals(mid))) {
            throw new UnknownModuleException(mid);
        }
        return switch (calls.get(mid, "/summary", LIMIT)) {
            case WorkerReply.SuccessfulReply(byte[] json) -> summary(mid, json);
            case WorkerReply.RefusedReply(int status, String detail, _) ->
                throw new SilentModuleException(mid, status + " " + detail);
            case WorkerReply.NoReply(String why) -> throw new SilentModuleException(mid, why);
        };
    }

    private static ModuleSummary summary(MID mid, byte[] json) {
        try {
            return Json.read(json, ModuleSummary.class);
        } catch (MalformedRecordException e) {
            throw new SilentModuleException(mid, "its answer is not a summary");
        }
    }

    /** No live module has this MID. The message may be shown to users. */
    public static final class UnknownModuleException extends RuntimeException {
        UnknownModuleException(MID mid) {
            super("no module " + mid + " is registered");
        }
    }

    /** A module does not answer at its address. The message may be shown to users. */
    public static final class SilentModuleException extends RuntimeException {
        SilentModuleException(MID mid, String why) {
            super(mid + " does not answer: " + why);
        }
    }
}
