package io.trawl.analyzer.batch;

import io.trawl.channel.ResponseHeaders;
import io.trawl.codec.MalformedRecordException;
import io.trawl.model.Response;
import io.trawl.model.TraceContext;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A response with its partition and its position, which grows with the offset from layout to layout. */
record ReceivedResponse(Response response, int partition, long position) {
    /** A copy with this trace context. */
    ReceivedResponse withTrace(TraceContext trace) {
        return new ReceivedResponse(response.withTrace(trace), partition, position);
    }

    /** @throws MalformedRecordException if the record is not a response */
    static ReceivedResponse of(ConsumerRecord<byte[], byte[]> record, long position) {
        return new ReceivedResponse(ResponseHeaders.response(record).withoutArchived(), record.partition(), position);
    }
}
