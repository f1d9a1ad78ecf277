package io.trawl.analyzer.batch;

import io.trawl.model.Response;
import io.trawl.model.Visit;
import io.trawl.model.VisitBuilder;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The validators of a page (RFC 9110, section 8.8): the entity tag and the date of its last change, by which the next
 * visit asks whether it has changed.
 */
final class Validators {
    /** RFC 9110, section 8.8.3. */
    private static final Pattern ENTITY_TAG = Pattern.compile("(?:W/)?\"[!\\x23-\\x7e\\x80-\\xff]*\"");

    private Validators() {}

    /** The next visit has none. */
    static void none(VisitBuilder next) {
        next.etag(Optional.empty()).lastModified(Optional.empty());
    }

    /** The next visit has those of a response, or none, also if they say nothing of another request. */
    static void of(Response response, boolean none, VisitBuilder next) {
        boolean varies = none || response.header("vary").contains("*");
        next.etag(varies ? Optional.empty() : etag(response))
                .lastModified(varies ? Optional.empty() : lastModified(response));
    }

    /** The next visit has those of a response in the place of the ones that it has already. */
    static void added(Response response, VisitBuilder next) {
        next.etag(etag(response).or(next::etag)).lastModified(lastModified(response).or(next::lastModified));
    }

    /** Whether a response has those of a visit: the entity tag, or the date if there was none. */
    static boolean areThoseOf(Visit before, Response response) {
        return before.etag().isPresent()
                ? before.etag().equals(etag(response))
                : before.lastModified().isPresent() && before.lastModified().equals(lastModified(response));
    }

    private static Optional<String> etag(Response response) {
        return Optional.of(response.header("etag"))
                .filter(tag -> tag.length() <= Visit.LONGEST_ETAG && ENTITY_TAG.matcher(tag).matches());
    }

    private static Optional<String> lastModified(Response response) {
        return ItemBuilder.lastModified(response).map(_ -> response.header("last-modified"));
    }
}
