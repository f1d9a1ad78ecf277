package io.trawl.channel;

import io.trawl.codec.BodyPacking;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.model.FetchOptions;
import io.trawl.model.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/** A response as a record, without the header of its layout and those of its trace. */
public final class ResponseHeaders {
    private static final String ALONE = "alone";

    private ResponseHeaders() {}

    /**
     * Those of a response whose body is the value as it is held: its description, the length of a packed body, and an
     * empty one on the answer to a request for a sitemap.
     */
    public static List<Header> of(Response response) {
        List<Header> headers = new ArrayList<>(
                List.of(new RecordHeader(Codec.RESPONSE_HEADER, Codec.describe(response))));
        if (response.request().options().parser().filter(FetchOptions.SITEMAP::equals).isPresent()) {
            headers.add(new RecordHeader(ALONE, new byte[0]));
        }
        if (response.body().isPacked()) {
            headers.add(new RecordHeader(BodyPacking.HEADER, BodyPacking.header(response.body().length())));
        }
        return headers;
    }

    /**
     * The response of a record.
     *
     * @throws MalformedRecordException if the record is not a response
     */
    public static Response response(ConsumerRecord<byte[], byte[]> record) {
        byte[] description = description(record.headers()).orElseThrow(
                () -> new MalformedRecordException("a response needs the header '" + Codec.RESPONSE_HEADER + "'"));
        return Codec.response(description, BodyPacking.body(record.value(),
                Optional.ofNullable(record.headers().lastHeader(BodyPacking.HEADER)).map(Header::value)));
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
