package io.trawl.analyzer.batch;

import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * What the answers of a run say about the visits of its pages: which items are new, changed or gone, and the request of
 * the next visit of each (docs/protocol.md, rule 34). Every first answer of a page leads to one next visit, whatever it
 * is. Pure but for the ids.
 */
final class NextVisits {
    /** Every eleventh visit in a row is plain, and one in a hundred of the others: some servers always answer 304. */
    private static final int MOST_NOT_MODIFIED = 10;
    private static final int PLAIN_OF = 100;
    /** RFC 9110, section 8.8.3. */
    private static final Pattern ENTITY_TAG = Pattern.compile("(?:W/)?\"[!\\x23-\\x7e\\x80-\\xff]*\"");
    private static final Set<Integer> GONE = Set.of(404, 410);
    /** Where a page has been for a while is its place. */
    private static final Set<Integer> MOVED = Set.of(301, 308);
    private final CrawlStatus crawl;
    private final String rules;
    private final ItemDigest digest;
    private final ChangeRates rates;
    private final LongSupplier ids;

    /** What becomes of an answer. @param next empty if it is neither the first of its page nor the nearest */
    record VisitedPage(PageResult result, Optional<Request> next) {}

    /** How an item differs from that of the visit before, as it is written. */
    private enum Change {
        NEW("new"), CHANGED("changed"), GONE("gone"), BACK("back");

        private final String word;

        Change(String word) {
            this.word = word;
        }
    }

    /** @param rules the {@link io.trawl.codec.PageRules#digest digest} of those of the crawl */
    NextVisits(CrawlStatus crawl, String rules, LongSupplier ids) {
        this.crawl = crawl;
        this.rules = rules;
        this.digest = new ItemDigest(crawl.definition().refreshRules().compare());
        this.rates = new ChangeRates(crawl.definition().refreshRules());
        this.ids = ids;
    }

    /** @param result of the answer, with all its items */
    VisitedPage of(JudgedResponse judged, PageResult result) {
        if (judged.request().options().again() || !judged.stores() && !judged.follows()) {
            return new VisitedPage(result, Optional.empty());
        }
        if (!judged.stores()) {
            return new VisitedPage(result, Optional.of(nearer(judged.request())));
        }
        VisitBuilder next = begin(judged.request());
        PageResult told = switch (judged.response().outcome()) {
            case Outcome.Success _ when result.unparsed() -> error(judged, result, next);
            case Outcome.Success page -> page(judged, page, result, next);
            case Outcome.Unchanged _ -> unchanged(judged, result, next);
            case Outcome.HttpError e when GONE.contains(e.status()) -> missing(judged, result, next);
            case Outcome.Redirect e when MOVED.contains(e.status()) -> missing(judged, result, next);
            case Outcome.HttpError _,Outcome.Redirect _,Outcome.Failure _,Outcome.Refused _,Outcome.Duplicate _ ->
                error(judged, result, next);
        };
        Visit visit = rates.told(judged.response(), judged.request().visit(), next.build());
        return new VisitedPage(told, Optional.of(next(judged.request(), visit)));
    }

    /** Nothing is known of a page that this run has found. */
    private VisitBuilder begin(Request request) {
        VisitBuilder next = request.visit().map(VisitBuilder::builder)
                .orElseGet(() -> VisitBuilder.builder().state(PageState.UNKNOWN)).plain(false).carried(0);
        return next.number(next.number() + 1);
    }

    /** The page is at a smaller depth than its first answer: a request without an entry says at which. */
    private Request nearer(Request answered) {
        return answered.with(
                copy -> copy.id(new RequestId(ids.getAsLong())).redirects(0).chain(List.of()).visit(Optional.empty()));
    }

    private Request next(Request answered, Visit visit) {
        return answered.with(copy -> copy.id(new RequestId(ids.getAsLong())).redirects(0).chain(List.of())
                .visit(Optional.of(visit.withPlain(plain(answered, visit)))));
    }

    /** A function of page and number, so that an answer that is handled again says the same. */
    private static boolean plain(Request request, Visit visit) {
        return visit.notModified() >= MOST_NOT_MODIFIED
                || Math.floorMod(request.identity().hashCode() + 31 * visit.number(), PLAIN_OF) == 0;
    }

    private PageResult page(JudgedResponse judged, Outcome.Success page, PageResult result, VisitBuilder next) {
        Optional<Visit> before = judged.request().visit();
        List<Item> items = result.items().stream().filter(item -> item.kind() == ItemKind.PAGE).toList();
        Optional<String> now = items.isEmpty() ? Optional.empty() : Optional.of(digest.of(items));
        boolean same = now.isPresent() && before.filter(visit -> visit.state() != PageState.UNKNOWN)
                .filter(visit -> visit.state() != PageState.GONE).flatMap(Visit::digest).equals(now);
        boolean lied = !same && before.filter(visit -> lied(visit, judged.response())).isPresent();
        next.notModified(0).rules(Optional.of(rules)).lied(lied || next.lied());
        validators(judged.response(), page.truncated() || lied, next);
        if (now.isPresent()) {
            next.state(PageState.STORED).digest(now);
        }
        if (same) {
            return result.unchanged();
        }
        return crawl.refreshes() ? told(result, change(before), next.number()) : result;
    }

    /** Whether another content has the validators of the one before: the entity tag, or the date if there is none. */
    private static boolean lied(Visit before, Response response) {
        return before.plain() && (before.etag().isPresent()
                ? before.etag().equals(etag(response))
                : before.lastModified().isPresent() && before.lastModified().equals(lastModified(response)));
    }

    private static Change change(Optional<Visit> before) {
        return switch (before.map(Visit::state).orElse(PageState.UNKNOWN)) {
            case UNKNOWN -> Change.NEW;
            case STORED, MISSING -> Change.CHANGED;
            case GONE -> Change.BACK;
        };
    }

    /** What it does not send again stays valid (RFC 9111, section 3.2). */
    private PageResult unchanged(JudgedResponse judged, PageResult result, VisitBuilder next) {
        Optional<String> etag = etag(judged.response());
        next.notModified(next.notModified() + 1).etag(etag.or(next::etag))
                .lastModified(lastModified(judged.response()).or(next::lastModified));
        if (next.state() == PageState.MISSING) {
            next.state(PageState.STORED);
        }
        return result;
    }

    /** A page that is not there, or elsewhere: that it is gone is told at its second answer of that kind in a row. */
    private PageResult missing(JudgedResponse judged, PageResult result, VisitBuilder next) {
        switch (next.state()) {
            case UNKNOWN -> {
                return error(judged, result, next);
            }
            case STORED -> next.state(PageState.MISSING);
            case MISSING -> {
                next.state(PageState.GONE);
                PageResult gone = result.items().isEmpty() && judged.response().outcome() instanceof Outcome.Redirect
                        ? result.withItems(List.of(ItemBuilder.error(judged.response(), OutcomeKind.REDIRECT.name(),
                                judged.response().outcome().detail(), "it redirects to another page")))
                        : result;
                noValidators(next);
                return told(gone, Change.GONE, next.number());
            }
            case GONE -> {
                noValidators(next);
                return result.withItems(List.of());
            }
        }
        noValidators(next);
        return result;
    }

    /** An answer that says nothing about the content. An error that was told is not told again. */
    private PageResult error(JudgedResponse judged, PageResult result, VisitBuilder next) {
        noValidators(next);
        if (next.state() != PageState.UNKNOWN) {
            return result;
        }
        Optional<String> error = Optional.of(result.answered().outcome() + " " + result.answered().detail());
        boolean known = judged.request().visit().flatMap(Visit::digest).equals(error);
        next.digest(error);
        return known ? result.withItems(List.of()) : result;
    }

    private static void noValidators(VisitBuilder next) {
        next.notModified(0).etag(Optional.empty()).lastModified(Optional.empty());
    }

    private static void validators(Response response, boolean none, VisitBuilder next) {
        boolean varies = none || response.header("vary").contains("*");
        next.etag(varies ? Optional.empty() : etag(response))
                .lastModified(varies ? Optional.empty() : lastModified(response));
    }

    private static Optional<String> etag(Response response) {
        return Optional.of(response.header("etag"))
                .filter(tag -> tag.length() <= Visit.LONGEST_ETAG && ENTITY_TAG.matcher(tag).matches());
    }

    private static Optional<String> lastModified(Response response) {
        String date = response.header("last-modified");
        try {
            return date.isEmpty() || DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from) == null
                    ? Optional.empty()
                    : Optional.of(date);
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static PageResult told(PageResult result, Change change, int visit) {
        List<Item> items = new ArrayList<>();
        for (Item item : result.items()) {
            Map<String, Object> fields = new LinkedHashMap<>(item.fields());
            fields.put("change", change.word);
            fields.put("visit", visit);
            items.add(new Item(item.id(), item.key(), item.run(), item.kind(), item.url(), fields));
        }
        return result.withItems(items);
    }
}
