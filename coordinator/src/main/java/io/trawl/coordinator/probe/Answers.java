package io.trawl.coordinator.probe;

import io.trawl.admission.Candidate;
import io.trawl.channel.Topics;
import io.trawl.coordinator.api.Explanation.Answered;
import io.trawl.coordinator.api.Explanation.State;
import io.trawl.coordinator.api.Explanation.StoredItem;
import io.trawl.coordinator.probe.Traces.TracedItem;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.ItemId;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;

/** Tells how a URL was answered and where its item is, as far as topics still say it. Thread-safe. */
final class Answers {
    private final Traces traces;
    private final Topics topics;

    Answers(Traces traces, Topics topics) {
        this.traces = traces;
        this.topics = topics;
    }

    /**
     * @param facts of a URL that has a response
     * @param exact whether depths mean anything
     */
    void tell(Story story, CrawlRun run, Candidate.Open open, UrlFacts facts, boolean exact) {
        boolean flying = story.state() == State.IN_FLIGHT;
        if (!flying) {
            story.state(State.ANSWERED);
        }
        try {
            Optional<Response> response = traces.response(open.host(), run, open.url(), facts.first());
            response.ifPresentOrElse(r -> told(story, r), () -> deleted(story, facts));
            item(story, run, open.url(), response);
        } catch (KafkaException e) {
            story.say("It is answered; how cannot be told, since Kafka does not answer (" + e.getMessage() + ").");
        }
        story.say((flying ? "It is fetched again, since it was found at a smaller depth than before; further" : "Further")
                + " requests for it" + (exact ? " at depth " + facts.doneDepth() + " or more" : "")
                + " are answered DUPLICATE, without a fetch.");
    }

    private static void told(Story story, Response response) {
        Outcome outcome = response.outcome();
        story.answered(new Answered(Optional.of(response.fetchedAt()), Optional.of(outcome.kind()), Optional.of(outcome.detail()),
                Optional.of(response.attempts()), Optional.of(response.mid())));
        story.say("It was answered at " + response.fetchedAt() + " by " + response.mid() + ": " + outcome.kind() + " "
                + outcome.detail() + ", " + (response.attempts() == 1 ? "1 fetch" : response.attempts() + " fetches")
                + cause(outcome)
                + ".");
    }

    private static String cause(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Failure failure -> " (" + failure.cause() + ")";
            case Outcome.Refused refused -> " (" + refused.cause() + ")";
            case Outcome.Redirect redirect -> "; it leads to " + redirect.location() + ", which is a request of its own";
            case Outcome.Page _,Outcome.HttpError _,Outcome.Duplicate _ -> "";
        };
    }

    private void deleted(Story story, UrlFacts facts) {
        story.answered(
                new Answered(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
        story.say("It is answered: its response stood at offset " + facts.first() + " of " + topics.responses()
                + ", and was deleted there when it was analysed.");
    }

    private void item(Story story, CrawlRun run, String url, Optional<Response> response) {
        String page = ItemId.of(run, url, ItemId.PAGE, 0);
        String error = ItemId.of(run, url, ItemId.ERROR, 0);
        List<String> ids = response.map(Response::outcome).map(outcome -> switch (outcome) {
            case Outcome.Page _ -> List.of(page, error);
            case Outcome.HttpError _,Outcome.Failure _ -> List.of(error);
            case Outcome.Redirect _,Outcome.Refused _,Outcome.Duplicate _ -> List.<String>of();
        }).orElse(List.of(page, error));
        if (ids.isEmpty()) {
            story.say("Such an answer has no item.");
            return;
        }
        Optional<TracedItem> found = traces.item(ids);
        String id = found.map(TracedItem::id).orElse(ids.getFirst());
        String file = file(run, id, id.equals(page));
        story.item(new StoredItem(id, found.map(TracedItem::where), Optional.of(file)));
        if (found.isPresent()) {
            story.say("Its item " + id + " stands in " + found.get().where() + "; the pipeline writes it to " + file + ".");
        } else {
            story.say("Its item is in the output: look for the id " + id + " in " + file
                    + (ids.size() > 1 ? ", or, if it was an error, " + error + " in " + file(run, error, false) : "") + ".");
        }
    }

    /** As the pipeline's file sink calls its files. */
    private String file(CrawlRun run, String id, boolean page) {
        return (page ? "items/" : "errors/") + run.crawl() + "-" + run.epoch()
                + String.format(Locale.ROOT, "/part-%02d-*.jsonl", traces.itemPartition(id));
    }
}
