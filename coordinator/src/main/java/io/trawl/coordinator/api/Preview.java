package io.trawl.coordinator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.direct.AnalyzeAnswer.LinkVerdict;
import io.trawl.model.Item;
import io.trawl.model.MID;
import io.trawl.model.OutcomeKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a URL gives now.
 *
 * @param url in normal form
 * @param downloader who fetched it
 * @param gate {@code owner} if the downloader has the host, so that the fetch was as polite as the crawl; {@code stand-in} if another one had to do it
 * @param analyzer who analysed it; empty if none answered
 * @param links what it refers to
 * @param items what would be stored
 * @param errors for people
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record Preview(String url, MID downloader, String gate, Optional<MID> analyzer, Answer response, List<LinkVerdict> links,
        List<Item> items, List<String> errors) {
    /**
     * The response.
     *
     * @param outcome what it counts as
     * @param status the HTTP status, if there was an answer
     * @param contentType the header
     * @param bytes of the body, inflated
     * @param took from the first byte sent to the last byte received
     * @param redirect where it leads, as the server sent it; it is not followed
     * @param truncated whether the body was cut at the limit
     * @param failure why there is no page: a word that never changes, a colon, and the case in words for people
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record Answer(OutcomeKind outcome, Optional<Integer> status, Optional<String> contentType, long bytes, Duration took,
            Optional<String> redirect, boolean truncated, Optional<String> failure) {}
}
