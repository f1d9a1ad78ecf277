package io.trawl.analyzer.batch;

import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecordException;
import io.trawl.model.Response;
import io.trawl.model.TraceContext;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** A response with its partition and its position, which grows with the offset from layout to layout. */
record ReceivedResponse(Response response, int partition, long position) {
    /** A copy with this trace context. */
    ReceivedResponse withTrace(TraceContext trace) {
        return new ReceivedResponse(response.withTrace(trace), partition, position);
    }

    /** @throws MalformedRecordException if the record is not a response */
    static ReceivedResponse of(ConsumerRecord<byte[], byte[]> record, long position) {
        Header description = record.headers().lastHeader(Codec.RESPONSE_HEADER);
        if (description == null) {
            throw new MalformedRecordException("a response needs the header '" + Codec.RESPONSE_HEADER + "'");
        }
        return new ReceivedResponse(Codec.response(description.value(), record.value()).withoutArchived(),
                record.partition(), position);
    }
}
