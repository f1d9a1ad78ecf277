package io.trawl.analyzer.batch;

import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecord;
import io.trawl.model.Response;
import io.trawl.model.TraceContext;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** A response and where it stands. */
record Received(Response response, int partition, long offset) {
    /** The same in this trace. */
    Received withTrace(TraceContext trace) {
        return new Received(response.withTrace(trace), partition, offset);
    }

    /** @throws MalformedRecord if the record is no response */
    static Received of(ConsumerRecord<byte[], byte[]> record) {
        Header description = record.headers().lastHeader(Codec.RESPONSE_HEADER);
        if (description == null) {
            throw new MalformedRecord("a response needs the header '" + Codec.RESPONSE_HEADER + "'");
        }
        byte[] body = record.value() == null ? new byte[0] : record.value();
        try {
            return new Received(Codec.response(description.value(), body), record.partition(), record.offset());
        } catch (MalformedRecord e) {
            throw e;
        } catch (RuntimeException e) {
            throw new MalformedRecord("a response's description lacks something: " + e);
        }
    }
}
