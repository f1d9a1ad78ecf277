package io.trawl.analyzer;

import io.trawl.admission.AcceptedDomains;
import io.trawl.analyzer.batch.AnalysisLimits;
import io.trawl.analyzer.batch.AnalyzeCallHandler;
import io.trawl.analyzer.batch.ResponseBatchHandler.AnalysisPorts;
import io.trawl.analyzer.batch.ResponseBatchHandler.Parsing;
import io.trawl.analyzer.extract.HtmlParser;
import io.trawl.analyzer.extract.PageSelectors;
import io.trawl.analyzer.parse.FetchedPage;
import io.trawl.analyzer.parse.ParseMemory;
import io.trawl.analyzer.parse.ParseThreads;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlView;
import io.trawl.definition.CrawlDefinition;
import io.trawl.direct.AnalyzeAnswer;
import io.trawl.direct.AnalyzeCall;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.UrlFacts;
import io.trawl.memory.HeapShares;
import io.trawl.model.CrawlRun;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.plugin.Plugins;
import io.trawl.settings.Settings;
import io.trawl.telemetry.Tracing;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Analyzes one response after the other without Kafka and Redis, for a person who tries something: with the parsers and
 * rules of an analyzer. Whether a URL was seen before is the only thing that it cannot judge.
 */
public final class SingleAnalyzer implements AutoCloseable {
    private final Parsing parsing;
    private final AnalyzeCallHandler handler;
    private final HtmlParser html;

    /** Starts a thread for parsing. */
    public SingleAnalyzer(Settings settings, Plugins plugins, Time time) {
        Settings.AnalyzerSettings own = settings.analyzer();
        ParseMemory memory = new ParseMemory(HeapShares.ofThisJvm().parsing(), own.nodesPerPage());
        this.parsing = new Parsing(Parsers.among(plugins, own.linksPerPage(), memory.mostNodes()),
                new ParseThreads(1, own.parseTimeout(), memory, time, _ -> {}), plugins.digest());
        this.handler = new AnalyzeCallHandler(
                new AnalysisPorts(new NoServers(), new NoServers(), new NoServers(), Tracing.OFF), parsing,
                AnalysisLimits.of(settings), own.parseTimeout());
        this.html = new HtmlParser(memory.mostNodes());
    }

    /** Analyzes a response. @param accepted the domains that the crawl accepts */
    public AnalyzeAnswer analyze(Response response, CrawlDefinition definition, Set<String> accepted)
            throws InterruptedException {
        return handler.of(new AnalyzeCall(definition, Optional.empty(), accepted), response);
    }

    /** Selectors on a page in HTML, as its parser reads it; empty for anything else. */
    public Optional<PageSelectors> selectors(Response response, CrawlDefinition definition) {
        return response.outcome() instanceof Outcome.Success
                ? Optional.of(new FetchedPage(response, definition)).filter(html::handles).map(html::selectors)
                : Optional.empty();
    }

    @Override
    public void close() {
        parsing.threads().close();
    }

    /** No topic and no store: nothing is known, and what is learnt is forgotten at once. */
    private static final class NoServers implements ControlView, Ledger, AcceptedDomains {
        @Override
        public Optional<ControlRecord> latest(String key) {
            return Optional.empty();
        }

        @Override
        public Collection<ControlRecord> latest() {
            return List.of();
        }

        @Override
        public void refresh() {
            // There is nothing newer.
        }

        @Override
        public long changes() {
            return 0;
        }

        @Override
        public void await(long changes, Duration longest) throws InterruptedException {
            Time.system().pause(longest);
        }

        @Override
        public void listen(Consumer<ControlRecord> listener) {
            // No record will come.
        }

        @Override
        public DomainAnswer ask(CrawlRun run, Set<String> domains, long atLeast) {
            return new DomainAnswer(Set.of(), atLeast);
        }

        @Override
        public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
            return urls.stream().map(_ -> UrlFacts.NOTHING).toList();
        }

        @Override
        public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
            return facts.stream().map(_ -> UrlFacts.NOTHING).toList();
        }

        @Override
        public void forget(CrawlRun run) {
            // Nothing is kept.
        }

        @Override
        public void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without) {
            // Nothing is kept.
        }
    }
}
