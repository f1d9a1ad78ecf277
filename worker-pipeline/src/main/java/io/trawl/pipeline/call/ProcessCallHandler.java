package io.trawl.pipeline.call;

import io.trawl.codec.Json;
import io.trawl.direct.ProcessCall;
import io.trawl.http.CallRefusedException;
import io.trawl.http.Route;
import io.trawl.http.Call;
import io.trawl.http.CallResponse;
import io.trawl.pipeline.process.ProcessorChain;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * {@code POST /process}: shows what processors make of items that are not stored. One call at a time, since processors
 * need not be thread-safe, and with processors of its own, so that it never waits for the thread that stores items.
 * Thread-safe.
 */
public final class ProcessCallHandler {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private final ProcessorChain chain;
    private final int largestBody;
    private final ReentrantLock one = new ReentrantLock();

    /** @param chain of this handler alone */
    public ProcessCallHandler(ProcessorChain chain, int largestBody) {
        this.chain = chain;
        this.largestBody = largestBody;
    }

    /** The route that it answers. */
    public Route call() {
        return Route.post(ProcessCall.PATH, "application/json", largestBody, this::answer);
    }

    private CallResponse answer(Call sent) throws InterruptedException {
        ProcessCall call = Json.read(sent.body(), ProcessCall.class);
        if (!one.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new CallRefusedException(503, "another preview is being processed");
        }
        try {
            return CallResponse.json(chain.tried(call.items(), call.rules()));
        } finally {
            one.unlock();
        }
    }
}
