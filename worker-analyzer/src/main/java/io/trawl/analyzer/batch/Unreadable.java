package io.trawl.analyzer.batch;

import io.trawl.codec.Codec;
import io.trawl.codec.MalformedRecord;
import io.trawl.codec.Remains;
import io.trawl.model.CrawlId;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * A record that is no response.
 *
 * @param remains whose request it answers, if that can still be read
 */
record Unreadable(ConsumerRecord<byte[], byte[]> record, MalformedRecord why, Optional<Remains> remains) {
    static Unreadable of(ConsumerRecord<byte[], byte[]> record, MalformedRecord why) {
        Optional<Header> description = Optional.ofNullable(record.headers().lastHeader(Codec.RESPONSE_HEADER));
        return new Unreadable(record, why, description.map(Header::value).flatMap(Remains::of));
    }

    Optional<CrawlId> crawl() {
        return remains.map(r -> r.run().crawl());
    }

    /** What was wrong, for people. */
    String cause() {
        return "the response cannot be read: " + why.getMessage()
                + (remains.isPresent()
                        ? ""
                        : "; which request it answers cannot be read either, and if it is one of a crawl, that waits for it");
    }
}
