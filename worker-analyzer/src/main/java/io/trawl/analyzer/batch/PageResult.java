package io.trawl.analyzer.batch;

import io.trawl.analyzer.parse.PageBudget;
import io.trawl.analyzer.parse.ParsedPage.PageError;
import io.trawl.api.Item;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.model.FetchOptions;
import io.trawl.model.MID;
import io.trawl.model.Outcome.OutcomeKind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The result of one response, before the ledger and the domains are consulted about its URLs.
 *
 * @param url of the request
 * @param answered its entry in the ledger record
 * @param items to store: none, the error of the URL, or those of the page
 * @param trouble why there is no page
 * @param found references that may be followed
 * @param refused references that are not followed, and the rule that refused the request itself
 * @param cuts the budgets that the page exceeded
 * @param errors of parsers and rules although the page has a result, for people
 */
record PageResult(String url, AnsweredRequest answered, List<Item> items, Optional<Trouble> trouble,
        List<FoundReference> found, RefusalCounts refused, Set<PageBudget> cuts, List<PageError> errors) {
    /**
     * Why there is no page.
     *
     * @param downloader the module that reported it; empty if this analyzer could not parse the page
     * @param attempts number of fetches
     * @param kind the kind of failure, or {@code HTTP_ERROR}
     * @param cause for people
     */
    record Trouble(Optional<MID> downloader, int attempts, String kind, String cause) {}

    /** A result without item and references. */
    static PageResult end(JudgedResponse judgedResponse, OutcomeKind kind, String detail) {
        return new PageResult(judgedResponse.response().url(), answered(judgedResponse, kind, detail), List.of(),
                Optional.empty(), List.of(), new RefusalCounts(), Set.of(), List.of());
    }

    /** The same with other items. */
    PageResult withItems(List<Item> others) {
        return new PageResult(url, answered, others, trouble, found, refused, cuts, errors);
    }

    /** The same of a page whose content is known: it has no items. */
    PageResult unchanged() {
        return new PageResult(url,
                new AnsweredRequest(answered.id(), OutcomeKind.UNCHANGED, answered.detail(), answered.stored()),
                List.of(), trouble, found, refused, cuts, errors);
    }

    /** This result of a request that a rule of the definition refused. */
    PageResult refusedBy(Optional<String> rule) {
        rule.ifPresent(refused::byRule);
        return this;
    }

    /** This result with one reference more. */
    PageResult leadingTo(FoundReference more) {
        return new PageResult(url, answered, items, trouble, Stream.concat(found.stream(), Stream.of(more)).toList(),
                refused, cuts, errors);
    }

    /** A result without a page. */
    static PageResult error(JudgedResponse judgedResponse, OutcomeKind kind, String detail, List<Item> items,
            Trouble trouble, Set<PageBudget> cuts) {
        return new PageResult(judgedResponse.response().url(), answered(judgedResponse, kind, detail), items,
                Optional.of(trouble), List.of(), new RefusalCounts(), cuts, List.of());
    }

    /** Whether this analyzer could not parse the page. */
    boolean unparsed() {
        return trouble.filter(t -> t.downloader().isEmpty()).isPresent();
    }

    static AnsweredRequest answered(JudgedResponse judgedResponse, OutcomeKind kind, String detail) {
        return new AnsweredRequest(judgedResponse.request().id(), kind,
                kind == OutcomeKind.PAGE || kind == OutcomeKind.UNCHANGED || kind == OutcomeKind.HTTP_ERROR
                        ? subject(judgedResponse.request().options()) + detail
                        : detail,
                judgedResponse.stores());
    }

    private static String subject(FetchOptions options) {
        if (options.page()) {
            return "";
        }
        return options.source() ? AnsweredRequest.SOURCE : AnsweredRequest.REQUISITE;
    }
}
