package io.trawl.coordinator.probe;

import java.util.List;
import io.trawl.telemetry.RecentLog.LogLine;
import io.trawl.telemetry.RecentLog;
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
        return answer(mid, "/summary", ModuleSummary.class);
    }

    /**
     * The last log lines of a module's process, the oldest first.
     *
     * @param lines how many at most
     * @throws UnknownModuleException if no live module has this MID
     * @throws SilentModuleException if it does not answer with log lines in time
     */
    public List<LogLine> logs(MID mid, int lines) throws InterruptedException {
        return List.of(answer(mid, RecentLog.PATH + "?lines=" + lines, LogLine[].class));
    }

    private <T> T answer(MID mid, String path, Class<T> type) throws InterruptedException {
        if (registrar.all().stream().noneMatch(r -> r.mid().equals(mid))) {
            throw new UnknownModuleException(mid);
        }
        return switch (calls.get(mid, path, LIMIT)) {
            case WorkerReply.SuccessfulReply(byte[] json) -> read(mid, json, type);
            case WorkerReply.RefusedReply(int status, String detail, _) ->
                throw new SilentModuleException(mid, status + " " + detail);
            case WorkerReply.NoReply(String why) -> throw new SilentModuleException(mid, why);
        };
    }

    private static <T> T read(MID mid, byte[] json, Class<T> type) {
        try {
            return Json.read(json, type);
        } catch (MalformedRecordException e) {
            throw new SilentModuleException(mid, "its answer cannot be read");
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
