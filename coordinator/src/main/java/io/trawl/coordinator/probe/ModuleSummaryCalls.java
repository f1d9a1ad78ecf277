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
import io.trawl.module.Registration;
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
     * @param name a MID, or its part before the address
     * @throws UnknownModuleException if no live module has this name
     * @throws SilentModuleException if it does not answer with a summary in time
     */
    public ModuleSummary of(String name) throws InterruptedException {
        return answer(name, "/summary", ModuleSummary.class);
    }

    /**
     * The last log lines of a module's process, the oldest first.
     *
     * @param name a MID, or its part before the address
     * @param lines how many at most
     * @throws UnknownModuleException if no live module has this name
     * @throws SilentModuleException if it does not answer with log lines in time
     */
    public List<LogLine> logs(String name, int lines) throws InterruptedException {
        return List.of(answer(name, RecentLog.PATH + "?lines=" + lines, LogLine[].class));
    }

    private <T> T answer(String name, String path, Class<T> type) throws InterruptedException {
        MID mid = registrar.all().stream().map(Registration::mid).filter(known -> known.isNamed(name)).findFirst()
                .orElseThrow(() -> new UnknownModuleException(name));
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

    /** No live module has this name. The message may be shown to users. */
    public static final class UnknownModuleException extends RuntimeException {
        /** @param name a MID, or its part before the address */
        public UnknownModuleException(String name) {
            super("no module '" + name + "' is registered: trawl modules lists those that are");
        }
    }

    /** A module does not answer at its address. The message may be shown to users. */
    public static final class SilentModuleException extends RuntimeException {
        SilentModuleException(MID mid, String why) {
            super(mid + " does not answer: " + why);
        }
    }
}
