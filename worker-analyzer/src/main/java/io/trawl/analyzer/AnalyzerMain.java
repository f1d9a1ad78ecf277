package io.trawl.analyzer;

import io.trawl.worker.WorkerMain;

/** The analyzer as a separate process, configured by the environment. */
public final class AnalyzerMain {
    private AnalyzerMain() {}

    /** Runs until SIGTERM; ignores the arguments. */
    public static void main(String[] args) {
        WorkerMain.run(Analyzer.factory());
    }
}
