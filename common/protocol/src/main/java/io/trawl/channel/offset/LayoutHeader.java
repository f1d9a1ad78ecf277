package io.trawl.channel.offset;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The header of a response that names the layout it was written to. It has the same size always, so that a copy is not
 * larger than its original.
 *
 * @param copy whether an analyzer has copied the response, which is elsewhere in the topic, too
 * @param loss the id of the last loss in Kafka that the downloader knew; 0 if it knew none
 */
public record LayoutHeader(int layout, boolean copy, long loss) {
    private static final String KEY = "layout";
    private static final LayoutHeader ABSENT = new LayoutHeader(0, false, 0);
    private static final int SIZE = Integer.BYTES + 1 + Long.BYTES;

    /** That of a record; one that another program wrote has none, and is of the first layout. */
    public static LayoutHeader of(Headers headers) {
        Header header = headers.lastHeader(KEY);
        if (header == null || header.value() == null || header.value().length != SIZE) {
            return ABSENT;
        }
        ByteBuffer value = ByteBuffer.wrap(header.value());
        return new LayoutHeader(value.getInt(), value.get() != 0, value.getLong());
    }

    /** The others, and this one. */
    public List<Header> with(Iterable<Header> others) {
        return Stream
                .concat(StreamSupport.stream(others.spliterator(), false).filter(header -> !header.key().equals(KEY)),
                        Stream.of(new RecordHeader(KEY, value())))
                .toList();
    }

    private byte[] value() {
        return ByteBuffer.allocate(SIZE).putInt(layout).put((byte) (copy ? 1 : 0)).putLong(loss).array();
    }
}
