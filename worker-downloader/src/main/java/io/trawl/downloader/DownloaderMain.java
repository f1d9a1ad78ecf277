package io.trawl.downloader;

import io.trawl.worker.WorkerMain;

/** The downloader as a process. */
public final class DownloaderMain {
    private DownloaderMain() {}

    /** Runs until it is stopped; the environment configures it. */
    public static void main(String[] args) {
        WorkerMain.run(Downloader.factory());
    }
}
