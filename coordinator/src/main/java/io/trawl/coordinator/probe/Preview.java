package io.trawl.coordinator.probe;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.api.Item;
import io.trawl.api.render.Rendering;
import io.trawl.direct.AnalyzeAnswer.LinkVerdict;
import io.trawl.direct.ProcessCall.ProcessAnswer;
import io.trawl.model.MID;
import io.trawl.model.Outcome;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.Response;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The preview of a URL.
 *
 * @param url in normal form
 * @param page under which {@link Previewer#values} finds it again; empty: it is not kept
 * @param downloader the downloader that fetched it; empty: this process
 * @param gate {@code owner} if the downloader owns the host, so that the fetch kept the crawl's pauses;
 * {@code        stand-in} otherwise
 * @param analyzer the analyzer that analysed it; empty if none answered, or this process
 * @param links of the page
 * @param items that would be stored, as the item processors leave them
 * @param dropped why the others would not be stored, as text
 * @param errors as text
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Preview(String url, Optional<String> page, Optional<MID> downloader, Optional<String> gate,
        Optional<MID> analyzer, PreviewAnswer response, List<LinkVerdict> links, List<Item> items, List<String> dropped,
        List<String> errors) {
    /** Absent lists are empty. */
    @SuppressWarnings("ConstantValue")
    public Preview {
        links = links == null ? List.of() : List.copyOf(links);
        items = items == null ? List.of() : List.copyOf(items);
        dropped = dropped == null ? List.of() : List.copyOf(dropped);
        errors = errors == null ? List.of() : List.copyOf(errors);
    }

    /** The preview of a URL that was fetched and analyzed by this process, without servers. */
    public static Preview local(String url, PreviewAnswer response, List<LinkVerdict> links, ProcessAnswer processed,
            List<String> errors) {
        return new Preview(url, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), response, links,
                processed.items(), processed.dropped(), errors);
    }

    /**
     * The response.
     *
     * @param outcome the kind of its outcome
     * @param status the HTTP status, if there was an answer
     * @param contentType the header
     * @param bytes of the decompressed body
     * @param took the time from the first byte sent to the last byte received
     * @param redirect the target, as the server sent it; it is not followed
     * @param truncated whether the body was cut at the limit
     * @param failure why there is no page: a constant, a colon, and the details as text
     * @param render how the page was rendered; empty if it was not
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record PreviewAnswer(OutcomeKind outcome, Optional<Integer> status, Optional<String> contentType, long bytes,
            Duration took, Optional<String> redirect, boolean truncated, Optional<String> failure,
            Optional<Rendering> render) {
        /** What a preview says of a response. */
        public static PreviewAnswer of(Response response) {
            Outcome outcome = response.outcome();
            Optional<Integer> status = switch (outcome) {
                case Outcome.Success success -> Optional.of(success.status());
                case Outcome.Redirect redirect -> Optional.of(redirect.status());
                case Outcome.HttpError error -> Optional.of(error.status());
                case Outcome.Unchanged _ -> Optional.of(Outcome.Unchanged.STATUS);
                case Outcome.Failure _,Outcome.Refused _,Outcome.Duplicate _ -> Optional.empty();
            };
            Optional<String> redirect = outcome instanceof Outcome.Redirect r
                    ? Optional.of(r.location())
                    : Optional.empty();
            Optional<String> failure = switch (outcome) {
                case Outcome.Failure f -> Optional.of(f.reason() + ": " + f.cause());
                case Outcome.Refused r -> Optional.of(r.reason() + ": " + r.cause());
                case Outcome.HttpError e -> Optional.of("HTTP_ERROR: the server answered with status " + e.status());
                case Outcome.Success _,Outcome.Unchanged _,Outcome.Redirect _,Outcome.Duplicate _ -> Optional.empty();
            };
            return new PreviewAnswer(outcome.kind(), status,
                    Optional.of(response.header("content-type")).filter(type -> !type.isEmpty()),
                    response.body().length(), response.took(), redirect,
                    outcome instanceof Outcome.Success success && success.truncated(), failure, response.render());
        }
    }
}
