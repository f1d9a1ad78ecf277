package io.trawl.analyzer.batch;

import io.trawl.admission.Candidate;
import io.trawl.analyzer.batch.PagePlaces.ItemPlace;
import io.trawl.api.Item;
import io.trawl.api.ItemKind;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.PageChange;
import io.trawl.control.RunVisits;
import io.trawl.model.ArchivedBody;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.model.Response;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the answers of a run say about the visits of its pages: which items are new, changed or gone, and the request of
 * the next visit of each (docs/protocol.md, rule 34). Every first answer of a page leads to one next visit, whatever it
 * is. Pure but for the ids.
 */
final class NextVisits {
    /** Every eleventh visit in a row is plain, and one in a hundred of the others: some servers always answer 304. */
    private static final int MOST_NOT_MODIFIED = 10;
    private static final int PLAIN_OF = 100;
    /** Where a page has been for a while is its place. */
    private static final Set<Integer> MOVED = Set.of(301, 308);
    private final CrawlStatus crawl;
    private final String rules;
    private final ItemDigest digest;
    private final Predicate<Candidate> admitted;
    private final RateEstimate rates;
    private final LongSupplier ids;

    /** What becomes of an answer. @param next empty if it is neither the first of its page nor the nearest */
    record VisitedPage(PageResult result, Optional<Request> next) {}

    /** How an item differs from that of the visit before, as it is written. */
    private enum Change {
        NEW("new"), CHANGED("changed"), TOUCHED("touched"), GONE("gone"), MOVED("moved"), BACK("back"), UNCHANGED(
                PageChange.UNCHANGED);

        private final String word;

        Change(String word) {
            this.word = word;
        }
    }

    /**
     * @param rules the {@link io.trawl.codec.PageRules#digest digest} of those of the crawl
     * @param admitted whether the crawl takes the target of a redirect
     */
    NextVisits(CrawlStatus crawl, String rules, Predicate<Candidate> admitted, LongSupplier ids) {
        this.crawl = crawl;
        this.rules = rules;
        this.digest = new ItemDigest(crawl.definition().refreshRules().compare());
        this.admitted = admitted;
        this.rates = new RateEstimate(crawl.definition().refreshRules());
        this.ids = ids;
    }

    /** @param result of the answer, with all its items */
    VisitedPage of(JudgedResponse judged, PageResult result) {
        FetchOptions sent = judged.request().options();
        if (sent.again() || sent.version().isPresent() || !judged.stores() && !judged.follows()) {
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
            case Outcome.HttpError e when Outcome.HttpError.GONE.contains(e.status()) -> missing(judged, result, next);
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
                .orElseGet(() -> VisitBuilder.builder().state(PageState.UNKNOWN)).plain(false).carried(0)
                .due(Optional.empty());
        return next.number(next.number() + 1);
    }

    /** The page is at a smaller depth than its first answer: a request without an entry says at which. */
    private Request nearer(Request answered) {
        return answered.withoutOptions()
                .with(copy -> copy.id(new RequestId(ids.getAsLong())).redirects(0).visit(Optional.empty()));
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
        Validators.of(judged.response(), page.truncated() || lied || made(judged.request()), next);
        next.archived(archived(judged.response(), page.truncated(), next.archived()));
        if (now.isPresent()) {
            next.state(PageState.STORED).digest(now);
        } else if (next.state() == PageState.UNKNOWN && crawl.definition().refreshRules().paced()) {
            next.digest(Optional.of(ItemDigest.ofLinks(result.found())));
        }
        return same ? same(judged, result.unchanged(), next) : changed(judged, result, items, next);
    }

    /**
     * The record that has the body: that which is known, or that of this answer, if the archive is sure to write it.
     */
    private Optional<ArchivedBody> archived(Response response, boolean truncated, Optional<ArchivedBody> known) {
        boolean archives = crawl.end().isEmpty() && crawl.visits().flatMap(RunVisits::archived).isPresent();
        if (!archives && known.isEmpty()) {
            return Optional.empty();
        }
        ArchivedBody now = ArchivedBody.of(response);
        return known.filter(its -> its.digest().equals(now.digest()))
                .or(() -> archives && !truncated ? Optional.of(now) : Optional.empty());
    }

    /** Whether a fetcher has made the page, so that the validators of the document say nothing of it. */
    private boolean made(Request request) {
        return request.options().fetcher().or(() -> crawl.definition().fetch().fetcher())
                .filter(name -> !name.equals(FetchOptions.HTTP)).isPresent();
    }

    /** Whether another content has the validators of the one before. Other rules make another content of an answer. */
    private boolean lied(Visit before, Response response) {
        return before.plain() && before.rules().equals(Optional.of(rules)) && Validators.areThoseOf(before, response);
    }

    /** @param items of the page, which differ from those that it had, if it had any */
    private PageResult changed(JudgedResponse judged, PageResult result, List<Item> items, VisitBuilder next) {
        Optional<Visit> before = judged.request().visit();
        ItemChanges changes = new ItemChanges(digest, judged.response(), next.items(), items);
        List<ItemPlace> lost = result.answered().outcome() == OutcomeKind.REFUSED ? List.of() : changes.lost();
        if (!items.isEmpty()) {
            next.items(Optional.of(changes.known()));
        } else if (!lost.isEmpty()) {
            next.state(PageState.GONE).items(Optional.empty());
        }
        if (!crawl.refreshes()) {
            return result;
        }
        Change change = change(before, changes);
        Stream<Item> told = result.items().stream().map(item -> told(item, change, next.number(), changes));
        return result.withItems(Stream.concat(told, gone(judged.response(), lost, next.number())).toList());
    }

    /** @param change of the page: what it had before is changed item by item */
    private static Item told(Item item, Change change, int visit, ItemChanges changes) {
        if (change != Change.CHANGED && change != Change.TOUCHED) {
            return told(item, change, visit, Map.of());
        }
        if (changes.added(item)) {
            return told(item, Change.NEW, visit, Map.of());
        }
        return changes.same(item)
                ? visited(item, visit, Map.of())
                : told(item, change, visit, changes.differences(item));
    }

    private static Stream<Item> gone(Response response, List<ItemPlace> lost, int visit) {
        if (lost.isEmpty()) {
            return Stream.empty();
        }
        Item error = ItemBuilder.error(response, Change.GONE.name(), response.outcome().detail(),
                "the page has this item no longer");
        return lost.stream().map(place -> told(ItemBuilder.gone(error, response, place), Change.GONE, visit, Map.of()));
    }

    private static Change change(Optional<Visit> before, ItemChanges changes) {
        return switch (before.map(Visit::state).orElse(PageState.UNKNOWN)) {
            case UNKNOWN -> Change.NEW;
            case STORED, MISSING -> changes.touched() ? Change.TOUCHED : Change.CHANGED;
            case GONE -> Change.BACK;
        };
    }

    /** What it does not send again stays valid (RFC 9111, section 3.2). */
    private PageResult unchanged(JudgedResponse judged, PageResult result, VisitBuilder next) {
        Validators.added(judged.response(), next.notModified(next.notModified() + 1));
        if (next.state() == PageState.MISSING) {
            next.state(PageState.STORED);
        }
        return same(judged, result, next);
    }

    /** With an item that says so, if the crawl wants it. It has no content, since a 304 has none. */
    private PageResult same(JudgedResponse judged, PageResult result, VisitBuilder next) {
        if (!crawl.definition().refreshRules().unchanged() || next.state() != PageState.STORED) {
            return result;
        }
        Item item = ItemBuilder.error(judged.response(), Change.UNCHANGED.name(), result.answered().detail(),
                "it has not changed since it was stored last");
        ItemChanges known = new ItemChanges(digest, judged.response(), next.items(), List.of());
        return result.withItems(List.of(told(item, Change.UNCHANGED, next.number(), known.differences(item))));
    }

    /**
     * A page that is not there, or elsewhere: that it is gone or has moved is told at its second answer of that kind in
     * a row, and so are its items.
     */
    private PageResult missing(JudgedResponse judged, PageResult result, VisitBuilder next) {
        Validators.none(next.notModified(0));
        return switch (next.state()) {
            case UNKNOWN -> error(judged, result, next);
            case STORED -> {
                next.state(PageState.MISSING);
                yield result;
            }
            case MISSING -> {
                List<Item> told = away(judged, result, next);
                next.state(PageState.GONE).items(Optional.empty());
                yield result.withItems(told);
            }
            case GONE -> result.withItems(List.of());
        };
    }

    private List<Item> away(JudgedResponse judged, PageResult result, VisitBuilder next) {
        Response response = judged.response();
        Item error = result.items().stream().findFirst().orElseGet(() -> ItemBuilder.error(response,
                OutcomeKind.REDIRECT.name(), response.outcome().detail(), "it redirects to another page"));
        Optional<String> target = result.found().stream().filter(found -> leadsAway(found, judged.request()))
                .flatMap(found -> found.url().stream()).findFirst();
        Map<String, Object> movedTo = target.<Map<String, Object>>map(url -> Map.of("movedTo", url)).orElse(Map.of());
        Stream<ItemPlace> lost = new ItemChanges(digest, response, next.items(), List.of()).lost().stream()
                .filter(place -> !place.equals(ItemPlace.OWN));
        return Stream.concat(Stream.of(ItemPlace.OWN), lost).map(place -> told(ItemBuilder.gone(error, response, place),
                target.isPresent() ? Change.MOVED : Change.GONE, next.number(), movedTo)).toList();
    }

    /** Whether it is the target of a redirect to another page that the crawl takes. */
    private boolean leadsAway(FoundReference found, Request from) {
        return found.redirect().isPresent() && !found.wanted().again() && admitted.test(found.candidate())
                && found.url().filter(
                        url -> !crawl.definition().identity().identity(url, found.wanted()).equals(from.identity()))
                        .isPresent();
    }

    /** An answer that says nothing about the content. An error that was told is not told again. */
    private PageResult error(JudgedResponse judged, PageResult result, VisitBuilder next) {
        Validators.none(next.notModified(0));
        if (next.state() != PageState.UNKNOWN) {
            return result;
        }
        Optional<String> error = Optional.of(result.answered().outcome() + " " + result.answered().detail());
        boolean known = judged.request().visit().flatMap(Visit::digest).equals(error);
        next.digest(error);
        return known ? result.withItems(List.of()) : result;
    }

    private static Item visited(Item item, int visit, Map<String, Object> more) {
        Map<String, Object> fields = new LinkedHashMap<>(item.fields());
        fields.put("visit", visit);
        fields.putAll(more);
        return item.withFields(fields);
    }

    private static Item told(Item item, Change change, int visit, Map<String, Object> more) {
        Map<String, Object> fields = new LinkedHashMap<>(item.fields());
        fields.put("change", change.word);
        return visited(item.withFields(fields), visit, more);
    }
}
