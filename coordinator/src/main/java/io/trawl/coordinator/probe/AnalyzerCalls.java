package io.trawl.coordinator.probe;

import io.trawl.codec.Json;
import io.trawl.coordinator.probe.WorkerCalls.NoWorkerException;
import io.trawl.coordinator.probe.WorkerCalls.WorkerReply;
import io.trawl.direct.AnalyzeAnswer;
import io.trawl.direct.AnalyzeCall;
import io.trawl.direct.FramedResponse;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.model.Response;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Sends a response for analysis to the least loaded analyzer that answers. Thread-safe; calls block. */
public final class AnalyzerCalls {
    private final WorkerCalls calls;
    private final Registrar registrar;
    private final Duration limit;

    /** The result of an analysis. */
    public record Analyzed(MID by, AnalyzeAnswer answer) {}

    /** @param limit for each call */
    public AnalyzerCalls(WorkerCalls calls, Registrar registrar, Duration limit) {
        this.calls = calls;
        this.registrar = registrar;
        this.limit = limit;
    }

    /** Analyses a response. @throws NoWorkerException if no analyzer answers */
    public Analyzed analyze(AnalyzeCall call, Response response) throws InterruptedException {
        byte[] body = FramedResponse.join(Json.bytes(call), FramedResponse.write(response));
        List<String> tried = new ArrayList<>();
        for (Registration analyzer : registrar.byLoad(ModuleKind.ANALYZER)) {
            switch (calls.post(analyzer.mid(), AnalyzeCall.PATH, FramedResponse.CONTENT_TYPE, body, limit)) {
                case WorkerReply.SuccessfulReply(byte[] json) -> {
                    return new Analyzed(analyzer.mid(), Json.read(json, AnalyzeAnswer.class));
                }
                case WorkerReply.RefusedReply(_, String detail, _) -> tried.add(analyzer.mid() + ": " + detail);
                case WorkerReply.NoReply(String why) -> tried.add(analyzer.mid() + ": " + why);
            }
        }
        throw new NoWorkerException(ModuleKind.ANALYZER, tried);
    }
}
