package io.trawl.direct;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.api.Item;
import java.util.List;
import java.util.Optional;

/**
 * What {@code POST /analyze} answers.
 *
 * @param links what the page refers to, in document order, each URL once, those that are no web addresses at the end;
 * of a redirect its target
 * @param items what would be stored if the crawl had fetched the URL now
 * @param errors what went wrong, for people
 */
public record AnalyzeAnswer(List<LinkVerdict> links, List<Item> items, List<String> errors) {
    /** Copies the lists. */
    public AnalyzeAnswer {
        links = List.copyOf(links);
        items = List.copyOf(items);
        errors = List.copyOf(errors);
    }

    /**
     * A link, and whether it would become a request.
     *
     * @param url in normal form; as the page wrote it where it has none, shortened and without what might be a password
     * @param verdict {@link #ADMITTED}, or the name of the {@link io.trawl.model.RefusalReason}
     * @param cause why it is refused, in words for people
     * @param nofollow whether the page asks that it is not followed
     * @param priorityRule the rule of {@code priorities} that gives its request its level, with the level in
     * parentheses
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    public record LinkVerdict(String url, String verdict, Optional<String> cause, boolean nofollow,
            Optional<String> priorityRule) {
        /** It would become a request. */
        public static final String ADMITTED = "ADMITTED";
    }
}
