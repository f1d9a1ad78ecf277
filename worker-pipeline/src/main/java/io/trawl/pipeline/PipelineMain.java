package io.trawl.pipeline;

import io.trawl.worker.WorkerMain;

/** A pipeline as a process of its own, configured by the environment. */
public final class PipelineMain {
    private PipelineMain() {}

    /** Runs until SIGTERM; the arguments are ignored. */
    public static void main(String[] args) {
        WorkerMain.run(Pipeline.factory());
    }
}
