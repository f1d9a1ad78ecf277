package io.trawl.analyzer;

import io.trawl.worker.WorkerMain;

/** The analyzer as a process of its own. */
public final class AnalyzerMain {
    private AnalyzerMain() {}

    /** Runs until it is asked to stop. */
    public static void main(String[] args) {
        WorkerMain.run(Analyzer.factory());
    }
}
