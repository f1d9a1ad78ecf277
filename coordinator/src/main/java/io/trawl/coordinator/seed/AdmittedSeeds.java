package io.trawl.coordinator.seed;

import io.trawl.control.ControlRecord;
import io.trawl.coordinator.queue.Room;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.trace.Span;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What a batch of seeds leads to.
 *
 * @param control new accepted domains, and finished crawls that start again: in the transaction
 * @param records requests and ledger records: in the transaction
 * @param errors what was wrong: reported after the commit, so that each is reported once
 * @param facts announced to the ledger after the commit, by run
 * @param requests how many requests each crawl gets
 * @param room what they fill: counted after the commit
 * @param spans end after the commit
 */
public record AdmittedSeeds(List<ControlRecord> control, List<ProducerRecord<byte[], byte[]>> records, List<CrawlerError> errors,
        Map<CrawlRun, List<Fact>> facts, Map<CrawlId, Integer> requests, Room room,
        List<Span> spans) {}
