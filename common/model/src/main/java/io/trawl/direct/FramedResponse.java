package io.trawl.direct;

import io.trawl.model.Body;
import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.model.Response;
import java.util.Arrays;

/**
 * A response over HTTP: its description as JSON on one line, as in the header of its record, then a line feed, then the
 * raw body to the end. Not a header and a body, since the description holds the header fields of a page, for which HTTP
 * servers have less room than pages have. Pure functions.
 */
public final class FramedResponse {
    /** The media type. */
    public static final String CONTENT_TYPE = "application/vnd.trawl.response";
    private static final byte LINE_FEED = '\n';

    private FramedResponse() {}

    /** The bytes of a response. */
    public static byte[] write(Response response) {
        return join(Codec.describe(response), response.body().bytes());
    }

    /** A line of JSON before something else. */
    public static byte[] join(byte[] line, byte[] rest) {
        byte[] all = Arrays.copyOf(line, line.length + 1 + rest.length);
        all[line.length] = LINE_FEED;
        System.arraycopy(rest, 0, all, line.length + 1, rest.length);
        return all;
    }

    /** @throws MalformedRecordException if the bytes are none */
    public static Response read(byte[] bytes) {
        return Codec.response(line(bytes), new Body(rest(bytes)));
    }

    /** The first line. @throws MalformedRecordException if there is no end of a line */
    public static byte[] line(byte[] bytes) {
        return Arrays.copyOf(bytes, end(bytes));
    }

    /** What follows the first line. @throws MalformedRecordException if there is no end of a line */
    public static byte[] rest(byte[] bytes) {
        return Arrays.copyOfRange(bytes, end(bytes) + 1, bytes.length);
    }

    private static int end(byte[] bytes) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == LINE_FEED) {
                return i;
            }
        }
        throw new MalformedRecordException("the first line has no end");
    }
}
