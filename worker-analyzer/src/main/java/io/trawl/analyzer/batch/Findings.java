package io.trawl.analyzer.batch;

import io.trawl.admission.Admission;
import io.trawl.admission.BaseUrl;
import io.trawl.admission.Candidate;
import io.trawl.admission.NormalUrl;
import io.trawl.admission.Refused;
import io.trawl.analyzer.parse.Analyzed;
import io.trawl.analyzer.parse.Page;
import io.trawl.analyzer.parse.Parsers;
import io.trawl.control.CrawlDefinition;
import io.trawl.model.FailureReason;
import io.trawl.model.Item;
import io.trawl.model.Outcome;
import io.trawl.model.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Response;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Works out what one response leads to. Asks nobody and changes nothing, so that it can run on any thread. */
final class Findings {
    private static final Refused UNWANTED = new Refused(RefusalReason.NOFOLLOW, "the page asks that it is not followed");
    private final Parsers parsers;
    private final Admission admission;
    private final int hops;
    private final CrawlDefinition definition;

    /** @param hops redirects in a row that are followed */
    Findings(Parsers parsers, Admission admission, int hops, CrawlDefinition definition) {
        this.parsers = parsers;
        this.admission = admission;
        this.hops = hops;
        this.definition = definition;
    }

    /** Whether the response must be parsed, which takes time. */
    static boolean parses(Judged judged) {
        return judged.response().outcome() instanceof Outcome.Page && (judged.stores() || judged.follows());
    }

    /** What the response leads to. */
    Finding of(Judged judged) {
        return switch (judged.response().outcome()) {
            case Outcome.Page page -> parses(judged) ? page(judged, page) : plain(judged);
            case Outcome.Redirect redirect -> redirect(judged, redirect);
            case Outcome.HttpError e ->
                error(judged, OutcomeKind.HTTP_ERROR, e.detail(), "the server answered with status " + e.status());
            case Outcome.Failure e -> error(judged, OutcomeKind.FAILURE, e.detail(), e.cause());
            case Outcome.Refused _,Outcome.Duplicate _ -> plain(judged);
        };
    }

    /** A page that could not be analysed: it fails as a whole, with this cause. */
    static Finding unparsed(Judged judged, String cause) {
        return error(judged, OutcomeKind.FAILURE, FailureReason.PARSE.name(), cause);
    }

    private static Finding plain(Judged judged) {
        Outcome outcome = judged.response().outcome();
        return Finding.end(judged, outcome.kind(), outcome.detail(), Optional.empty());
    }

    private static Finding error(Judged judged, OutcomeKind kind, String detail, String cause) {
        Optional<Item> item = judged.stores()
                ? Optional.of(Items.error(judged.response(), kind.name(), detail, cause))
                : Optional.empty();
        return Finding.end(judged, kind, detail, item);
    }

    private Finding page(Judged judged, Outcome.Page page) {
        return page(judged, page, parse(judged.response()));
    }

    /** What all parsers together read out of a page. */
    Analyzed parse(Response response) {
        return parsers.parse(new Page(response, definition));
    }

    /** What a page leads to that has been read. */
    Finding page(Judged judged, Outcome.Page page, Analyzed analyzed) {
        if (analyzed.failed()) {
            return unparsed(judged, String.join("; ", analyzed.errors()));
        }
        Optional<Item> item = judged.stores() ? Optional.of(Items.page(judged.response(), page, analyzed)) : Optional.empty();
        List<Found> found = new ArrayList<>();
        Map<RefusalReason, Integer> refused = new EnumMap<>(RefusalReason.class);
        if (judged.follows()) {
            refused.putAll(analyzed.notLinks());
            links(judged, analyzed, found, refused);
        }
        return new Finding(Finding.answered(judged, page.kind(), page.detail()), item, found, refused, analyzed.errors());
    }

    private void links(Judged judged, Analyzed analyzed, List<Found> found, Map<RefusalReason, Integer> refused) {
        BaseUrl page = BaseUrl.of(new NormalUrl(judged.response().url()));
        for (Analyzed.Target link : analyzed.links().orElse(List.of())) {
            consider(Found.link(candidate(page, link, analyzed, judged.request()), judged.request()), found, refused);
        }
    }

    /** What admission says about a link of a page so far. */
    Candidate candidate(BaseUrl page, Analyzed.Target link, Analyzed analyzed, Request from) {
        return link.nofollow() || analyzed.robots().nofollow()
                ? UNWANTED
                : admission.resolved(page, link.url(), from.depth() + 1, definition.depthLimit());
    }

    /** What admission says about the target of a redirect so far. */
    Candidate target(Outcome.Redirect redirect, Request from) {
        BaseUrl page = BaseUrl.of(new NormalUrl(from.url()));
        return admission.reference(page, redirect.location(), from.depth(), definition.depthLimit());
    }

    private Finding redirect(Judged judged, Outcome.Redirect redirect) {
        if (judged.request().redirects() >= hops) {
            return error(judged, OutcomeKind.FAILURE, FailureReason.REDIRECTS.name(),
                    "more than " + hops + " redirects in a row, the last one to " + redirect.location());
        }
        List<Found> found = new ArrayList<>();
        Map<RefusalReason, Integer> refused = new EnumMap<>(RefusalReason.class);
        if (judged.follows()) {
            consider(Found.redirect(target(redirect, judged.request()), judged.request()), found, refused);
        }
        return new Finding(Finding.answered(judged, redirect.kind(), redirect.detail()), Optional.empty(), found, refused,
                List.of());
    }

    private static void consider(Found candidate, List<Found> found, Map<RefusalReason, Integer> refused) {
        if (candidate.candidate() instanceof Refused no) {
            refused.merge(no.reason(), 1, Integer::sum);
        } else {
            found.add(candidate);
        }
    }
}
