package io.trawl.coordinator.probe;

import io.trawl.codec.Json;
import io.trawl.coordinator.probe.WorkerCalls.NoWorkerException;
import io.trawl.direct.AnalyzeAnswer;
import io.trawl.direct.AnalyzeCall;
import io.trawl.direct.FramedResponse;
import io.trawl.direct.ProcessCall;
import io.trawl.direct.ProcessCall.ProcessAnswer;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.model.Response;
import io.trawl.module.Registrar;
import java.time.Duration;

/**
 * Sends a response for analysis to the least loaded analyzer that answers, and its items to the least loaded pipeline.
 * Nothing is stored. Thread-safe; calls block.
 */
public final class AnalyzerCalls {
    private static final Duration PROCESSING = Duration.ofSeconds(20);
    private final WorkerCalls calls;
    private final Registrar registrar;
    private final Duration limit;

    /** The result of an analysis. */
    public record Analyzed(MID by, AnalyzeAnswer answer) {}

    /** @param limit for each analysis */
    public AnalyzerCalls(WorkerCalls calls, Registrar registrar, Duration limit) {
        this.calls = calls;
        this.registrar = registrar;
        this.limit = limit;
    }

    /** Analyses a response. @throws NoWorkerException if no analyzer answers */
    public Analyzed analyze(AnalyzeCall call, Response response) throws InterruptedException {
        WorkerCalls.Answered answered = calls.postToAny(ModuleKind.ANALYZER, registrar, AnalyzeCall.PATH,
                FramedResponse.CONTENT_TYPE, FramedResponse.join(Json.bytes(call), FramedResponse.write(response)),
                limit);
        return new Analyzed(answered.by(), Json.read(answered.body(), AnalyzeAnswer.class));
    }

    /** Passes items through the item processors. @throws NoWorkerException if no pipeline answers */
    ProcessAnswer process(ProcessCall call) throws InterruptedException {
        return Json.read(calls.postToAny(ModuleKind.PIPELINE, registrar, ProcessCall.PATH, "application/json",
                Json.bytes(call), PROCESSING).body(), ProcessAnswer.class);
    }
}
