package io.trawl.coordinator.probe;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.model.ChangeRate;
import io.trawl.model.Visit.DueReason;
import io.trawl.model.Durations;
import io.trawl.model.Request;
import io.trawl.model.Visit;
import io.trawl.scope.LinkFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;

/** Finds the next visit of a page. Thread-safe. */
record VisitSearch(UrlRecords urlRecords) {
    /**
     * The next visit of a page, if the run keeps visits and has its own; empty if it is not found soon. Adds what makes
     * the page due early, also if its next visit does not wait yet.
     */
    Optional<Request> find(ExplanationBuilder explanationBuilder, CrawlStatus crawl, ExplainedRequest request) {
        try {
            return crawl.visits().filter(visits -> visits.unpromoted().isEmpty())
                    .flatMap(visits -> find(explanationBuilder, crawl, request, visits.begin()));
        } catch (KafkaException e) {
            explanationBuilder.addStory(
                    "Its next visit is not known now, because Kafka does not answer (" + e.getMessage() + ").");
            return Optional.empty();
        }
    }

    private Optional<Request> find(ExplanationBuilder explanationBuilder, CrawlStatus crawl, ExplainedRequest request,
            long begin) {
        // From an answer, or carried by the promotion that the run names.
        Optional<Request> next = urlRecords.visit(crawl.run(), request, begin,
                its -> its.visit().filter(visit -> visit.carried() == 0 || visit.carried() == begin).isPresent());
        if (!crawl.definition().refreshRules().paced()) {
            return next;
        }
        long visited = next.flatMap(Request::visit).map(Visit::visited).orElse(0L);
        Optional<Request> mark = urlRecords.visit(crawl.run(), request, begin, its -> its.visit().isEmpty()
                && LinkFacts.dueReason(its).filter(reason -> reason.seed() || reason.at() > visited).isPresent());
        Optional<DueReason> reason = mark.flatMap(LinkFacts::dueReason)
                .or(() -> next.flatMap(Request::visit).flatMap(Visit::due));
        reason.ifPresent(its -> explanationBuilder.addStory(words(its, mark.flatMap(Request::parent))));
        return next.map(its -> its.withVisit(its.visit().map(visit -> reason.map(visit::dueBy).orElse(visit))));
    }

    /** Adds what has made a visit due that waits in its run. */
    static void early(ExplanationBuilder explanationBuilder, Request visit) {
        visit.visit().flatMap(Visit::due)
                .ifPresent(reason -> explanationBuilder.addStory(words(reason, Optional.empty())));
    }

    private static String words(DueReason reason, Optional<String> source) {
        Instant at = Instant.ofEpochSecond(reason.at());
        return reason.seed()
                ? "A seed has asked for it at " + at + ", so it is due at once."
                : source.orElse("A sitemap or feed") + " says that it has changed at " + at
                        + ", so it is due as soon as it may be visited.";
    }

    /** Adds what the next visit knows of the page, and when it is due. */
    static void explain(ExplanationBuilder explanationBuilder, CrawlStatus crawl, Request next) {
        Visit visit = next.visit().orElseThrow();
        explanationBuilder.addStory("It was visited " + (visit.number() == 1 ? "once" : visit.number() + " times")
                + visit.rate().map(_ -> ", last at " + Instant.ofEpochSecond(visit.visited())).orElse("") + ", and "
                + switch (visit.state()) {
                    case STORED ->
                        "has items" + visit.items().map(items -> ", stored last by run " + items.epoch()).orElse("");
                    case MISSING -> "is missing";
                    case GONE -> "is gone";
                    case UNKNOWN -> "never had an item";
                } + "; the next visit asks "
                + (visit.conditional(crawl.definition().archives())
                        ? "for it only if it has changed."
                        : "for it as a whole."));
        explanationBuilder.addStory(crawl.definition().refreshRules().due(next)
                .map(at -> visit.rate().map(VisitSearch::words).orElse("") + "The next visit is due at " + at
                        + ", and is made by the first refresh from then on.")
                .orElse("Its next visit is made by the next refresh."));
    }

    private static String words(ChangeRate rate) {
        return "It changes about once in " + Durations.format(Duration.ofSeconds(rate.every())) + ", by "
                + (rate.evidence() == 0 ? "a guess" : rate.evidence() == 1 ? "its last visit" : "its last visits")
                + ". ";
    }
}
