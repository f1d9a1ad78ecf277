package io.trawl.model;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import io.trawl.model.InvalidValueException.FieldRules;
import io.trawl.model.Visit.DueReason;
import java.util.Optional;

/**
 * What a request for a page that was visited before knows of it: the page's entry. It is in no other place.
 *
 * @param number how many visits came before this one
 * @param state what the page was at the last of them
 * @param digest of its items when they were stored last; empty if it never had any
 * @param items what is known of them, to say what has changed; empty if it has none
 * @param etag the entity tag of that answer, as the server sent it; empty if it is not to be sent
 * @param lastModified the date of that answer, as the server sent it; empty if it is not to be sent
 * @param notModified how many of the last visits in a row were answered 304
 * @param rules a digest of the rules by which the items were made
 * @param plain whether the page is asked for without its validators, to see whether its server tells the truth
 * @param lied whether its server has given one entity tag to two versions of it, or said that it had not changed
 * @param visited when it was visited last, in seconds since 1970; 0 if the crawl has no intervals
 * @param rate how often it changes; empty if the crawl has no intervals
 * @param archived the record of an archive that holds the body of the last answer that had one; empty if the crawl has
 * no archive, or may not have written it
 * @param carried which promotion has carried the visit into its run, since it was not made in that run: the offset
 * where what it wrote begins; 0 if the visit follows from an answer
 * @param due what makes the page due before its interval is over; empty if nothing does
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
public record Visit(int number, PageState state, @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<String> digest,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<KnownItems> items,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<String> etag,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<String> lastModified, int notModified,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<String> rules, boolean plain, boolean lied, long visited,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<ChangeRate> rate,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<ArchivedBody> archived, long carried,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<DueReason> due) implements VisitBuilder.With {
    /** An entity tag that is longer is not kept. */
    public static final int LONGEST_ETAG = 128;
    private static final int LONGEST_DATE = 40;

    /** What became of a page until now. */
    public enum PageState {
        /** It never had an item; or a state that only a newer version knows. */
        @JsonEnumDefaultValue
        UNKNOWN,
        /** It has items. */
        STORED,
        /** It had items, and answered 404, 410 or a permanent redirect at its last visit. */
        MISSING,
        /** It had items, and answered so twice in a row, or had none any more, which was told. */
        GONE
    }

    /** @throws InvalidValueException if a field is out of its range */
    public Visit {
        FieldRules.range("visit.number", number, 1, Integer.MAX_VALUE);
        FieldRules.count("visit.notModified", notModified);
        FieldRules.count("visit.visited", visited);
        rate = rate == null ? Optional.empty() : rate;
        due = due == null ? Optional.empty() : due;
        FieldRules.count("visit.carried", carried);
        state = state == null ? PageState.UNKNOWN : state;
        etag.ifPresent(tag -> FieldRules.range("length of visit.etag", tag.length(), 1, LONGEST_ETAG));
        lastModified
                .ifPresent(date -> FieldRules.range("length of visit.lastModified", date.length(), 1, LONGEST_DATE));
    }

    /** The same with what else makes the page due. A date before its last visit does not. */
    public Visit dueBy(DueReason reason) {
        return reason.seed() || reason.at() > visited
                ? withDue(Optional.of(due.map(known -> known.or(reason)).orElse(reason)))
                : this;
    }

    /** The same of a page whose items are to be told as if it was not known; of one that has no items the same. */
    public Visit unknown() {
        return state != PageState.STORED
                ? this
                : with(copy -> copy.state(PageState.UNKNOWN).digest(Optional.empty()).items(Optional.empty())
                        .etag(Optional.empty()).lastModified(Optional.empty()).visited(0).rate(Optional.empty()));
    }

    /** Whether the page is asked for only if it has changed. */
    public boolean conditional() {
        return !plain && (etag.isPresent() || lastModified.isPresent());
    }

    /** The same in a crawl that has an archive, or none: 304 has no body to be archived. */
    public boolean conditional(boolean archives) {
        return conditional() && (!archives || archived.isPresent());
    }

    /**
     * What makes a page due before its interval is over.
     *
     * @param at when a seed asked for it, or the date that a sitemap or feed gives it, in seconds since 1970
     * @param seed whether a seed asked for it, so that it is due whenever it was visited
     */
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    public record DueReason(long at, boolean seed) {
        /** @throws InvalidValueException if the time is negative */
        public DueReason {
            FieldRules.count("visit.due.at", at);
        }

        /** That of a seed, else the later one. */
        public DueReason or(DueReason other) {
            return seed == other.seed ? at >= other.at ? this : other : seed ? this : other;
        }
    }
}
