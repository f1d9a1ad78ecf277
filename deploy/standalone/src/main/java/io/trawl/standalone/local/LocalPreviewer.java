package io.trawl.standalone.local;

import io.trawl.admission.Candidate;
import io.trawl.admission.Refusal;
import io.trawl.analyzer.SingleAnalyzer;
import io.trawl.analyzer.extract.PageSelectors;
import io.trawl.coordinator.probe.Preview;
import io.trawl.coordinator.probe.Preview.PreviewAnswer;
import io.trawl.direct.AnalyzeAnswer;
import io.trawl.direct.ProcessCall.ProcessAnswer;
import io.trawl.downloader.call.SingleFetcher;
import io.trawl.model.Request;
import io.trawl.model.Response;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.plugin.Plugins;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Fetches, analyzes and processes single URLs in this process. Used by one thread. */
public final class LocalPreviewer implements AutoCloseable {
    private final Plugins plugins;
    private final SingleFetcher fetcher;
    private final SingleAnalyzer analyzer;
    private final ProcessorChain chain;

    /** Opens connections when they are needed. */
    public LocalPreviewer(Settings settings, Time time) {
        this.plugins = Plugins.in(settings.plugins());
        this.fetcher = new SingleFetcher(settings, plugins, time);
        this.analyzer = new SingleAnalyzer(settings, plugins, time);
        this.chain = ProcessorChain.among(plugins);
    }

    /** Fetches a URL, and says what the crawl of the options makes of it. */
    public static Preview preview(String url, LocalOptions options) throws InterruptedException {
        Settings settings = options.settings();
        LocalCrawl crawl = options.crawl(url, settings);
        Candidate.Open target = LocalOptions.target(url, settings);
        try (LocalPreviewer previewer = new LocalPreviewer(settings, Time.system())) {
            return previewer.preview(target, previewer.fetch(target, crawl, options.fetcher()), crawl);
        }
    }

    /** Fetches a URL in the next turn of its host. */
    Response fetch(Candidate.Open target, LocalCrawl crawl, Optional<String> by) throws InterruptedException {
        return fetch(crawl.request(target, by), crawl);
    }

    /** Fetches a request in the next turn of its host. */
    public Response fetch(Request request, LocalCrawl crawl) throws InterruptedException {
        return fetcher.fetch(request, crawl.definition());
    }

    /** What the crawl would make of a response. */
    public Preview preview(Candidate.Open target, Response response, LocalCrawl crawl) throws InterruptedException {
        AnalyzeAnswer answer = analyzer.analyze(response, crawl.definition(), crawl.accepted());
        List<String> errors = new ArrayList<>();
        if (target.verdict(crawl.accepted()) instanceof Refusal no) {
            errors.add("the crawl does not accept this URL itself: " + no.reason() + ", " + no.cause());
        }
        crawl.definition().scopeRules().refusalOfSeed(target.url()).ifPresent(
                no -> errors.add("the crawl does not accept this URL itself: " + no.reason() + ", " + no.cause()));
        errors.addAll(answer.errors());
        ProcessAnswer processed = chain.tried(answer.items(), crawl.definition().process());
        errors.addAll(processed.errors());
        return Preview.local(target.url(), PreviewAnswer.of(response), answer.links(), processed, errors);
    }

    /** Selectors on a page in HTML, as its parser reads it. */
    public Optional<PageSelectors> selectors(Response response, LocalCrawl crawl) {
        return analyzer.selectors(response, crawl.definition());
    }

    @Override
    public void close() {
        fetcher.close();
        analyzer.close();
        plugins.close();
    }
}
