package io.trawl.channel;

import io.trawl.codec.Codec;
import io.trawl.model.FetchOptions;
import io.trawl.model.Response;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/** The headers of a response's record, without that of its layout and those of its trace. Pure. */
public final class ResponseHeaders {
    private static final String ALONE = "alone";

    private ResponseHeaders() {}

    /** Those of a response: its description, and an empty one on the answer to a request for a sitemap. */
    public static List<Header> of(Response response) {
        Header description = new RecordHeader(Codec.RESPONSE_HEADER, Codec.describe(response));
        boolean sitemap = response.request().options().parser().filter(FetchOptions.SITEMAP::equals).isPresent();
        return sitemap ? List.of(description, new RecordHeader(ALONE, new byte[0])) : List.of(description);
    }

    /** The description of a response, as JSON; empty if the record has none. */
    public static Optional<byte[]> description(Headers headers) {
        return Optional.ofNullable(headers.lastHeader(Codec.RESPONSE_HEADER)).map(Header::value);
    }

    /** Whether a record is handled in a batch of its own: a sitemap names up to as many URLs as a batch of pages. */
    public static boolean alone(Headers headers) {
        return headers.lastHeader(ALONE) != null;
    }
}
