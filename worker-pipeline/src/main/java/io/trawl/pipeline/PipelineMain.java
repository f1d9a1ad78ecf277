package io.trawl.pipeline;

import io.trawl.worker.WorkerMain;

/** The pipeline as a separate process, configured by the environment. */
public final class PipelineMain {
    private PipelineMain() {}

    /** Runs until SIGTERM; ignores the arguments. */
    public static void main(String[] args) {
        WorkerMain.run(Pipeline.factory());
    }
}
