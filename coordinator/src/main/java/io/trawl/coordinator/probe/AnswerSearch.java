package io.trawl.coordinator.probe;

import io.trawl.api.render.Rendering;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.coordinator.probe.Explanation.Answered;
import io.trawl.coordinator.probe.Explanation.State;
import io.trawl.coordinator.probe.Explanation.StoredItem;
import io.trawl.coordinator.probe.UrlRecords.TracedItem;
import io.trawl.ledger.ItemId;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Durations;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;

/** Finds how a URL was answered and where its item is, as far as the topics still have the records. Thread-safe. */
public final class AnswerSearch {
    private final UrlRecords urlRecords;
    private final ItemSearch stored;

    /** Finds stored items. */
    @FunctionalInterface
    public interface ItemSearch {
        /**
         * The newest stored items of a run whose URL contains this one, as far as they are found soon; none if no
         * pipeline answers.
         */
        List<FoundAnswer> items(CrawlRun run, String url) throws InterruptedException;
    }

    /**
     * What a stored item says of its answer.
     *
     * @param kind of the error; empty for a page
     * @param detail the status, or the reason of a failure
     * @param cause of an error; empty for a page
     */
    public record FoundAnswer(String id, String kind, String detail, String cause, Instant at, int attempts) {}

    AnswerSearch(UrlRecords urlRecords, ItemSearch stored) {
        this.urlRecords = urlRecords;
        this.stored = stored;
    }

    /**
     * Adds how a request was answered, and returns it if its response is still there.
     *
     * @param facts of a request that has a response
     * @param exact whether the ledger has exact depths
     */
    Optional<Request> explain(ExplanationBuilder explanationBuilder, CrawlStatus crawl, ExplainedRequest request,
            UrlFacts facts, boolean exact) throws InterruptedException {
        CrawlRun run = crawl.run();
        boolean inFlight = explanationBuilder.state() == State.IN_FLIGHT;
        if (!inFlight) {
            explanationBuilder.state(State.ANSWERED);
        }
        Optional<Response> response = Optional.empty();
        try {
            response = urlRecords.response(run, request, facts.first());
            if (response.isPresent()) {
                addAnswer(explanationBuilder, response.get());
            } else {
                deleted(explanationBuilder, run, request, facts);
            }
            if (request.sent().page()
                    && response.map(Response::outcome).filter(Outcome.Success.class::isInstance).isPresent()) {
                crawl.definition().scope().languageRules().rule().ifPresent(explanationBuilder::addStory);
            }
            if (request.sent().source()) {
                source(explanationBuilder, run, request);
            } else if (request.sent().requisite()) {
                explanationBuilder.addStory("It has no item.");
            } else if (crawl.definition().extract().pageItem()) {
                item(explanationBuilder, run, request.identity(), response);
            } else {
                explanationBuilder.addStory(
                        "Its items are those of the rules of the crawl, if it gave any: search for the URL in items/"
                                + run.crawl() + "-" + run.epoch() + "/*.jsonl, and if it was an error in errors/.");
            }
        } catch (KafkaException e) {
            explanationBuilder.addStory("It is answered. The answer is not known now, because Kafka does not answer ("
                    + e.getMessage() + ").");
        }
        explanationBuilder.addStory(
                (inFlight ? "It is fetched again, because it was found at a smaller depth; further" : "Further")
                        + " requests for it" + (exact ? " at depth " + facts.doneDepth() + " or more" : "")
                        + " are answered DUPLICATE, without a fetch.");
        return response.map(Response::request);
    }

    /** Of a sitemap that was read in part the error says how many entries are damaged. */
    private void source(ExplanationBuilder explanationBuilder, CrawlRun run, ExplainedRequest request) {
        explanationBuilder.addStory("It is a sitemap or feed that is read for its links, so it has no item.");
        urlRecords.parseError(run.crawl(), request.url())
                .ifPresent(error -> explanationBuilder.addStory("An analyzer reported of it: " + error.cause() + "."));
    }

    private static void addAnswer(ExplanationBuilder explanationBuilder, Response response) {
        Outcome outcome = response.outcome();
        explanationBuilder.answered(new Answered(Optional.of(response.fetchedAt()), Optional.of(outcome.kind()),
                Optional.of(outcome.detail()), Optional.of(response.attempts()), Optional.of(response.mid()),
                response.render()));
        explanationBuilder.addStory("It was answered at " + response.fetchedAt() + " by " + response.mid() + ": "
                + outcome.kind() + " " + outcome.detail() + ", "
                + (response.attempts() == 1 ? "1 fetch" : response.attempts() + " fetches") + cause(outcome) + ".");
        response.render().map(AnswerSearch::rendered).ifPresent(explanationBuilder::addStory);
    }

    private static String rendered(Rendering page) {
        String named = page.refused().stream().map(request -> request.url() + " (" + request.reason() + ")")
                .collect(Collectors.joining(", "));
        return (page.partial() ? "Its time was over before the page came to rest, so it may lack a part: the" : "The")
                + " browser took " + Durations.format(Duration.ofMillis(page.ms())) + ", with "
                + (page.requests() == 1 ? "1 request" : page.requests() + " requests") + " to the server"
                + (page.refusals() == 0
                        ? "."
                        : "; " + page.refusals() + " that the page made were refused, among them " + named + ".");
    }

    private static String cause(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Failure failure -> " (" + failure.cause() + ")";
            case Outcome.Refused refused -> " (" + refused.cause() + ")";
            case Outcome.Redirect redirect ->
                "; it redirects to " + redirect.location() + ", which is a separate request";
            case Outcome.Unchanged _ -> "; it is as it was at the visit before";
            case Outcome.Success _,Outcome.HttpError _,Outcome.Duplicate _ -> "";
        };
    }

    private void deleted(ExplanationBuilder explanationBuilder, CrawlRun run, ExplainedRequest request, UrlFacts facts)
            throws InterruptedException {
        Set<String> ids = Set.of(ItemId.of(run, request.identity(), ItemId.PAGE, 0),
                ItemId.of(run, request.identity(), ItemId.ERROR, 0));
        stored.items(run, request.url()).stream().filter(found -> ids.contains(found.id())).findFirst().ifPresentOrElse(
                item -> addStored(explanationBuilder, item),
                () -> explanationBuilder.answered(new Answered(Optional.empty(), Optional.empty(), Optional.empty(),
                        Optional.empty(), Optional.empty(), Optional.empty())));
        explanationBuilder.addStory("It is answered: its response was at position " + facts.first() + " of "
                + urlRecords.responses() + ", and was deleted after the analysis.");
    }

    /** The stored page or error tells how the URL was answered; an error of a parser is one of a page. */
    private static void addStored(ExplanationBuilder explanationBuilder, FoundAnswer item) {
        OutcomeKind outcome = Arrays.stream(OutcomeKind.values()).filter(kind -> kind.name().equals(item.kind()))
                .findFirst().orElse(OutcomeKind.PAGE);
        explanationBuilder.answered(new Answered(Optional.of(item.at()), Optional.of(outcome),
                Optional.of(item.detail()), Optional.of(item.attempts()), Optional.empty(), Optional.empty()));
        explanationBuilder.addStory("It was answered at " + item.at() + ": " + outcome + " " + item.detail()
                + (item.cause().isEmpty() ? "" : " (" + item.cause() + ")") + ".");
    }

    private void item(ExplanationBuilder explanationBuilder, CrawlRun run, String identity,
            Optional<Response> response) {
        String page = ItemId.of(run, identity, ItemId.PAGE, 0);
        String error = ItemId.of(run, identity, ItemId.ERROR, 0);
        List<String> ids = response.map(Response::outcome).map(outcome -> switch (outcome) {
            case Outcome.Success _ -> List.of(page, error);
            case Outcome.HttpError _,Outcome.Failure _ -> List.of(error);
            case Outcome.Unchanged _,Outcome.Redirect _,Outcome.Refused _,Outcome.Duplicate _ -> List.<String>of();
        }).orElse(List.of(page, error));
        if (ids.isEmpty()) {
            explanationBuilder.addStory("Answers of this kind have no item.");
            return;
        }
        Optional<TracedItem> found = urlRecords.item(ids);
        String id = found.map(TracedItem::id).orElse(ids.getFirst());
        String file = file(run, id, id.equals(page));
        explanationBuilder.item(new StoredItem(id, found.map(TracedItem::where), Optional.of(file)));
        if (found.isPresent()) {
            explanationBuilder.addStory(
                    "Its item " + id + " is in " + found.get().where() + "; the pipeline writes it to " + file + ".");
        } else {
            // A response that is still there may wait for its analysis; one that was deleted has been analysed.
            explanationBuilder.addStory("Its item is in the output"
                    + (response.isPresent() ? ", as soon as it is analysed and stored" : "") + ": search for the id "
                    + id + " in " + file
                    + (ids.size() > 1 ? ", or, if it was an error, " + error + " in " + file(run, error, false) : "")
                    + ".");
        }
    }

    /** The name pattern of the pipeline's file sink. */
    private String file(CrawlRun run, String id, boolean page) {
        List<Integer> partitions = urlRecords.itemPartitions(id);
        return (page ? "items/" : "errors/") + run.crawl() + "-" + run.epoch()
                + (partitions.size() > 1
                        ? "/part-*.jsonl"
                        : String.format(Locale.ROOT, "/part-%02d-*.jsonl", partitions.getFirst()));
    }
}
