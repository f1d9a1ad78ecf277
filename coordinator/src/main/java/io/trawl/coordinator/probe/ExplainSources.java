package io.trawl.coordinator.probe;

import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.coordinator.call.ModuleCalls;
import io.trawl.coordinator.call.ModuleQuestion;
import io.trawl.coordinator.call.ModuleReply;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.probe.UrlRecords.TracedRequest;
import io.trawl.direct.FrontierView;
import io.trawl.direct.FrontierView.RequestView;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.UrlFacts;
import io.trawl.control.StopSign;
import io.trawl.coordinator.probe.DelayReasons.Delay;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;

/**
 * The sources of an explanation: the ledger, the downloader that owns the host, and the topics. If one does not answer,
 * the explanation mentions it and continues without it. Thread-safe.
 */
record ExplainSources(ControlState controlState, Ledger ledger, ModuleCalls calls, UrlRecords urlRecords) {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    /** The ledger's facts about a request. */
    Optional<UrlFacts> facts(ExplanationBuilder explanationBuilder, CrawlStatus crawl, ExplainedRequest request) {
        if (crawl.forgotten().isPresent()) {
            explanationBuilder.addStory("What became of it is not known any more: " + crawl.forgotten().get() + ".");
            return Optional.empty();
        }
        try {
            return Optional.of(ledger.lookUp(crawl.run(), List.of(Fingerprint.of(request.identity()))).getFirst());
        } catch (LedgerUnavailableException e) {
            explanationBuilder.addStory("The ledger cannot be read: Redis does not answer (" + e.getMessage() + ").");
            return Optional.empty();
        }
    }

    /**
     * The request for a URL as a sitemap, a feed or a requisite, if the run has made that one and not the one that was
     * asked about.
     */
    ExplainedRequest requested(CrawlStatus crawl, ExplainedRequest asked) {
        if (crawl.forgotten().isPresent()) {
            return asked;
        }
        List<ExplainedRequest> all = Stream
                .of(asked.sent(), FetchOptions.ofSource(FetchOptions.SITEMAP), FetchOptions.ofRequisite())
                .map(sent -> new ExplainedRequest(asked.host(), asked.url(), sent, asked.rules())).toList();
        try {
            List<UrlFacts> facts = ledger.lookUp(crawl.run(),
                    all.stream().map(one -> Fingerprint.of(one.identity())).toList());
            return IntStream.range(0, all.size()).filter(i -> !facts.get(i).equals(UrlFacts.NOTHING)).mapToObj(all::get)
                    .findFirst().orElse(asked);
        } catch (LedgerUnavailableException e) {
            return asked;
        }
    }

    /** The reply of the downloader that owns the host. */
    Optional<ModuleReply<FrontierView>> reply(ExplanationBuilder explanationBuilder, HostKey host, CrawlRun run,
            Optional<ExplainedRequest> request) throws InterruptedException {
        Optional<Channels> channels = controlState.channels();
        if (channels.isEmpty()) {
            return Optional.empty();
        }
        try {
            Map<String, String> query = new HashMap<>(Map.of("run", run.toString()));
            request.ifPresentOrElse(of -> query.putAll(Map.of("url", of.url(), FrontierView.IDENTITY, of.identity())),
                    () -> query.put("host", host.value()));
            return Optional.of(calls.owner(host, channels.get(),
                    ModuleQuestion.get(FrontierView.PATH, query, LIMIT, FrontierView.class)));
        } catch (LedgerUnavailableException e) {
            explanationBuilder.addStory("The downloaders cannot be found: Redis does not answer.");
            return Optional.empty();
        }
    }

    /** Adds why nothing is fetched from a host. @param replaced the channels, if their replacement may be a reason */
    List<Delay> delays(ExplanationBuilder explanationBuilder, Optional<CrawlStatus> crawl, HostKey host,
            Optional<Channels> replaced, Optional<ModuleReply<FrontierView>> reply,
            Function<FrontierView, Optional<Delay>> inFrontier) {
        List<Delay> delays = Stream
                .<Optional<Delay>>of(crawl.flatMap(c -> DelayReasons.ofCrawl(c, sign(c.run().crawl()))),
                        DelayReasons.ofHostSign(host, controlState.stopSigns()), DelayReasons.ofReplacement(replaced),
                        reply.flatMap(l -> DelayReasons.ofDownloader(host, l)),
                        reply.flatMap(ModuleReply::answer).flatMap(inFrontier))
                .flatMap(Optional::stream).toList();
        delays.forEach(delay -> explanationBuilder.addStory(delay.text()));
        return delays;
    }

    private Optional<StopSign> sign(CrawlId crawl) {
        return controlState.stopSign(Optional.of(crawl)).filter(StopSign::signed)
                .or(() -> controlState.stopSign(Optional.empty()));
    }

    /** Whether a seed of this request waits for admission. */
    boolean seedPending(ExplanationBuilder explanationBuilder, CrawlRun run, ExplainedRequest request)
            throws InterruptedException {
        try {
            return urlRecords.seedPending(run, request);
        } catch (KafkaException e) {
            explanationBuilder
                    .addStory("The seeds cannot be searched: Kafka does not answer (" + e.getMessage() + ").");
            return false;
        }
    }

    /** Reads the request that a frontier reports. */
    Optional<TracedRequest> request(ExplanationBuilder explanationBuilder, FrontierView view, RequestView request)
            throws InterruptedException {
        return traced(explanationBuilder,
                channels -> urlRecords.request(channels, request.topicPriority(), view.partition(), request.offset()));
    }

    /** Searches the record of a request. */
    Optional<TracedRequest> request(ExplanationBuilder explanationBuilder, CrawlRun run, ExplainedRequest request)
            throws InterruptedException {
        return traced(explanationBuilder, channels -> urlRecords.request(channels, run, request));
    }

    private interface Search {
        Optional<TracedRequest> in(Channels channels) throws InterruptedException;
    }

    private Optional<TracedRequest> traced(ExplanationBuilder explanationBuilder, Search search)
            throws InterruptedException {
        Optional<Channels> channels = controlState.channels();
        if (channels.isEmpty()) {
            return Optional.empty();
        }
        try {
            return search.in(channels.get());
        } catch (KafkaException e) {
            explanationBuilder
                    .addStory("Its request cannot be searched for: Kafka does not answer (" + e.getMessage() + ").");
            return Optional.empty();
        }
    }
}
