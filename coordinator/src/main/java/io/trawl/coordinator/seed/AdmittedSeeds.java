package io.trawl.coordinator.seed;

import io.trawl.ledger.SeedDomains;
import io.opentelemetry.api.trace.Span;
import io.trawl.control.ControlRecord;
import io.trawl.coordinator.lifecycle.SeedProgress.RefusedSeed;
import io.trawl.coordinator.queue.BatchCapacity;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * The result of admitting a batch of seeds.
 *
 * @param control new accepted domains, and finished crawls that start again: in the transaction
 * @param records requests and ledger records: in the transaction
 * @param errors reported after the commit, so that each is reported once
 * @param facts announced to the ledger after the commit, by run
 * @param requests the number of new requests of each crawl
 * @param room the capacity that they use: counted after the commit
 * @param spans end after the commit
 * @param refused told to their submissions after the commit
 * @param due those that make a known page due: told to their submissions after the commit
 * @param domains added to those of the seeds after the commit
 */
public record AdmittedSeeds(List<ControlRecord> control, List<ProducerRecord<byte[], byte[]>> records,
        List<CrawlerError> errors, Map<CrawlRun, List<Fact>> facts, Map<CrawlId, Integer> requests, BatchCapacity room,
        List<Span> spans, List<RefusedSeed> refused, List<ConsumerRecord<byte[], byte[]>> due,
        Map<CrawlRun, AddedDomains> domains) {
    /**
     * Domains that a run accepts for these seeds.
     *
     * @param before the version of its set without them; 0 for the first ones
     */
    public record AddedDomains(long before, SeedDomains added) {}
}
