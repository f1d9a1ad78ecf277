package io.trawl.analyzer.extract;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.parse.PageBudget;
import io.trawl.analyzer.parse.ParseMemory;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.parse.ParseThreads.JobResult;
import io.trawl.analyzer.parse.ParseThreads.ParseJob;
import io.trawl.analyzer.parse.ParsedPage;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.extract.Extraction;
import io.trawl.memory.HeapShares;
import io.trawl.model.Response;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Parses bombs of 8 MiB on eight threads; ends with status 0 if all of them are pages that were cut. */
final class DomBombProcess {
    private static final int PAGES = 8;

    private DomBombProcess() {}

    public static void main(String[] args) throws InterruptedException {
        ParseMemory memory = new ParseMemory(HeapShares.ofThisJvm().parsing(), 1_000_000);
        Parsers parsers = new Parsers(List.of(new HtmlParser(memory.mostNodes())), 10_000);
        Response bomb = Fixtures.page("http://example.org/", Map.of("content-type", "text/html"),
                DomBomb.REOPENED_ATTRIBUTES.page(8 << 20).getBytes(StandardCharsets.UTF_8));
        Response fonts = Fixtures.page("http://example.org/", Map.of("content-type", "text/html"),
                DomBomb.DIFFERENT_FONTS.page(8 << 20).getBytes(StandardCharsets.UTF_8));
        try (ParseThreads threads = new ParseThreads(8, Duration.ofMinutes(1), memory, Time.system(), took -> {})) {
            List<ParseJob<ParsedPage>> jobs = new ArrayList<>();
            for (int i = 0; i < PAGES; i++) {
                Response response = i % 2 == 0 ? bomb : fonts;
                jobs.add(new ParseJob<>(response.body().length(), reserved -> parsers
                        .parse(new FetchedPage(response, Fixtures.definition("{}"), Extraction.NONE, reserved))));
            }
            boolean all = threads.runAll(jobs, threads.budget(Duration.ofMinutes(2))).stream().peek(System.out::println)
                    .allMatch(result -> result instanceof JobResult.JobDone<ParsedPage>(ParsedPage page)
                            && page.cuts().contains(PageBudget.NODES) && !page.failed());
            System.exit(all ? 0 : 1);
        }
    }
}
