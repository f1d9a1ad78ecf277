package com.example;

import io.trawl.api.*;
import java.io.IOException;

public class PrintVersion implements PageFetcher {
    public String name() { return "print-version"; }

    public FetchAnswer fetch(FetchTask task) throws IOException, InterruptedException {
        FetchAnswer print = task.get(task.url() + "?print=1");
        return print.isSuccess() ? print : task.get(task.url());
    }
}
