package io.trawl.testkit;

import io.trawl.model.Outcome.OutcomeKind;
import java.util.List;

/**
 * The expected result of a crawl for one URL.
 *
 * @param url in normal form
 * @param kind how its request is answered
 * @param detail the status
 * @param depth its distance from the seeds; a redirect adds nothing
 * @param links of a page: absolute, in normal form, in document order, without duplicates
 */
public record Expected(String url, OutcomeKind kind, String detail, int depth, List<String> links) {
    /** Copies the links. */
    public Expected {
        links = List.copyOf(links);
    }

    /** The kind and its detail, as they are counted: {@code HTTP_ERROR 404}. */
    public String outcome() {
        return kind + " " + detail;
    }
}
