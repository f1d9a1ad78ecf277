package io.trawl.scope;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.field.Range;
import io.trawl.field.Size;
import io.trawl.pattern.UrlPattern;
import java.util.List;
import java.util.Optional;

/**
 * Which requisites of its pages a crawl fetches.
 *
 * @param hosts patterns of their hosts or URLs; by default every host
 * @param maxRequests how many are fetched in a run; by default no limit
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record RequisiteRules(@Size(max = 1000) List<UrlPattern> hosts,
        @Range(min = "1", max = "1000000000000") Optional<Long> maxRequests) {
    /** Every host, without a limit. */
    public static final RequisiteRules ALL = new RequisiteRules(List.of(), Optional.empty());
    /** No pattern of a definition has this text by chance, and all URLs match it. */
    private static final UrlPattern EVERYTHING = UrlPattern.parse("re:(requisites of the run)?");

    /** Copies the list. */
    @SuppressWarnings("ConstantValue")
    public RequisiteRules {
        hosts = hosts == null ? List.of() : List.copyOf(hosts);
        maxRequests = maxRequests == null ? Optional.empty() : maxRequests;
    }

    /** The budget of a run, which is counted like that of a pattern. */
    @JsonIgnore
    public Optional<PagesRule> budget() {
        return maxRequests.map(most -> new PagesRule(EVERYTHING, most));
    }
}
