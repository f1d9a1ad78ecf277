package com.example;

import io.trawl.api.FetchAnswer;
import io.trawl.api.FetchTask;
import io.trawl.api.PageFetcher;
import java.io.IOException;

/** Fetches the print version of a page, or the page itself if it has none. */
public class PrintVersion implements PageFetcher {
    @Override
    public String name() {
        return "print-version";
    }

    @Override
    public FetchAnswer fetch(FetchTask task) throws IOException, InterruptedException {
        FetchAnswer print = task.get(task.url() + "?print=1");
        return print.isSuccess() ? print : task.get(task.url());
    }
}
