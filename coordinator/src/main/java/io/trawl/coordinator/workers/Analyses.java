package io.trawl.coordinator.workers;

import io.trawl.codec.Json;
import io.trawl.coordinator.workers.WorkerCalls.Reply;
import io.trawl.direct.AnalyzeAnswer;
import io.trawl.direct.AnalyzeCall;
import io.trawl.direct.FramedResponse;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.model.Response;
import io.trawl.module.Registration;
import io.trawl.module.Registrar;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Has the least loaded analyzer that answers analyse a response. Thread-safe; calls block. */
public final class Analyses {
    private final WorkerCalls calls;
    private final Registrar registrar;
    private final Duration limit;

    /** What was found. */
    public record Analyzed(MID by, AnalyzeAnswer answer) {}

    /** @param limit for each call */
    public Analyses(WorkerCalls calls, Registrar registrar, Duration limit) {
        this.calls = calls;
        this.registrar = registrar;
        this.limit = limit;
    }

    /** Analyses. @throws NoWorker if no analyzer answers */
    public Analyzed analyze(AnalyzeCall call, Response response) throws InterruptedException {
        byte[] body = FramedResponse.join(Json.bytes(call), FramedResponse.write(response));
        List<String> tried = new ArrayList<>();
        for (Registration analyzer : registrar.byLoad(ModuleKind.ANALYZER)) {
            switch (calls.post(analyzer.mid(), AnalyzeCall.PATH, FramedResponse.CONTENT_TYPE, body, limit)) {
                case Reply.Done(byte[] json) -> {
                    return new Analyzed(analyzer.mid(), Json.read(json, AnalyzeAnswer.class));
                }
                case Reply.Turned(_, String detail, _) -> tried.add(analyzer.mid() + ": " + detail);
                case Reply.Silent(String why) -> tried.add(analyzer.mid() + ": " + why);
            }
        }
        throw new NoWorker(ModuleKind.ANALYZER, tried);
    }
}
