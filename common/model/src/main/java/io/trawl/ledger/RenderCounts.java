package io.trawl.ledger;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.api.render.Rendering;
import io.trawl.model.InvalidValueException.FieldRules;
import java.util.Map;
import java.util.TreeMap;

/**
 * How pages of one run were rendered: sums over the answers that were stored, pages and errors.
 *
 * @param pages how many were rendered
 * @param partial how many of them were not ready when their time was over
 * @param ms how long all of them took together, in milliseconds
 * @param requests the requests that were sent for them, themselves included
 * @param refused the requests of these pages that were refused, by reason
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RenderCounts(long pages, long partial, long ms, long requests, Map<String, Long> refused) {
    /** No rendered page. */
    public static final RenderCounts NONE = new RenderCounts(0, 0, 0, 0, Map.of());

    /**
     * An absent map is empty.
     *
     * @throws io.trawl.model.InvalidValueException if a number is negative
     */
    @SuppressWarnings("ConstantValue")
    public RenderCounts {
        FieldRules.count("render.pages", pages);
        FieldRules.count("render.partial", partial);
        FieldRules.count("render.ms", ms);
        FieldRules.count("render.requests", requests);
        refused = refused == null ? Map.of() : Map.copyOf(refused);
        FieldRules.counts("render.refused", refused.values());
    }

    /** One page. */
    public static RenderCounts of(Rendering page) {
        Map<String, Long> refused = new TreeMap<>();
        page.refusedByReason().forEach((reason, count) -> refused.put(reason.name(), (long) count));
        return new RenderCounts(1, page.partial() ? 1 : 0, page.ms(), page.requests(), refused);
    }

    /** The sum of both. */
    public RenderCounts plus(RenderCounts o) {
        Map<String, Long> both = new TreeMap<>(refused);
        o.refused.forEach((reason, count) -> both.merge(reason, count, Long::sum));
        return new RenderCounts(pages + o.pages, partial + o.partial, ms + o.ms, requests + o.requests, both);
    }
}
