package io.trawl.pipeline.spi;

import io.trawl.codec.Codec;
import io.trawl.model.ArchivedBody;
import io.trawl.model.FetchOptions;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.model.Visit;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * A response and its place in {@code responses}, from which the ids of its records follow: who archives it again after
 * a crash gives it the same ids.
 *
 * @param cluster the short name of the deployment
 * @param keepsVisits whether its run keeps the visits of its pages: then a record of a later run may refer to that of a
 * page
 */
public record Capture(String cluster, int partition, long offset, Response response, boolean keepsVisits) {
    /**
     * Whether an archive holds it: something was fetched, or was tried to. A duplicate, or what was refused, is no
     * fetch. That a page is unchanged says nothing without the record that has its body.
     */
    public static boolean archived(Response response) {
        return response.attempts() > 0 && switch (response.outcome()) {
            case Outcome.Success _,Outcome.Redirect _,Outcome.HttpError _,Outcome.Failure _ -> true;
            case Outcome.Unchanged _ -> known(response).isPresent();
            case Outcome.Refused _,Outcome.Duplicate _ -> false;
        };
    }

    /** The record of an earlier run that has the body that its page had at the visit before. */
    public Optional<ArchivedBody> known() {
        return known(response);
    }

    private static Optional<ArchivedBody> known(Response response) {
        return response.request().visit().flatMap(Visit::archived);
    }

    /** Whether an answer was received; of other fetches an archive has only the metadata. */
    public boolean received() {
        return !(response.outcome() instanceof Outcome.Failure);
    }

    /** Whether the entry of its page may name its record, which has to be whole then. */
    public boolean mayBeReferredTo() {
        return keepsVisits && response.outcome() instanceof Outcome.Success;
    }

    /** Whether less of the body was received than the server sent. */
    public boolean truncated() {
        return response.exchange().filter(exchange -> exchange.truncated()).isPresent()
                || response.outcome() instanceof Outcome.Success page && page.truncated() && page.damage().isEmpty();
    }

    /** The id of one of its records. */
    public UUID id(String type) {
        return UUID.nameUUIDFromBytes((cluster + ' ' + response.run() + ' ' + partition + ' ' + offset + ' ' + type)
                .getBytes(StandardCharsets.UTF_8));
    }

    /** All that the other records do not say, as JSON in ASCII on one line; without what may be secret. */
    public String description() {
        FetchOptions sent = response.request().options();
        FetchOptions shown = FetchOptions.NONE.with().waitTime(sent.waitTime()).parser(sent.parser())
                .metadata(sent.metadata()).fetcher(sent.fetcher()).method(sent.method()).body(sent.body())
                .again(sent.again()).version(sent.version()).build();
        String json = new String(Codec.describe(response.with(copy -> copy
                .request(response.request().withOptions(shown)).headers(Map.of()).exchange(Optional.empty()))),
                StandardCharsets.UTF_8);
        return json.chars().allMatch(c -> c < 0x7f)
                ? json
                : json.chars()
                        .mapToObj(c -> c < 0x7f ? String.valueOf((char) c) : String.format(Locale.ROOT, "\\u%04x", c))
                        .collect(Collectors.joining());
    }
}
