package io.trawl.analyzer.batch;

import io.trawl.channel.PartitionCounts;
import io.trawl.ledger.ItemCounts;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.AnsweredRequest;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.ledger.LedgerRecord.StraySeed;
import io.trawl.ledger.RenderCounts;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request.RequestId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Builds the ledger records that describe a transaction for one run: one record, or several if there are too many ids
 * for one.
 */
final class LedgerRecordBuilder {
    private final PartitionCounts counts;

    LedgerRecordBuilder(PartitionCounts counts) {
        this.counts = counts;
    }

    /** @param all a record of any size; its emissions are written first, so that no answer precedes its emission */
    List<ProducerRecord<byte[], byte[]>> records(LedgerRecord all) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        int ids = all.emitted().size() + all.answered().size();
        Map<RefusalReason, Integer> refused = all.refused();
        Map<String, Integer> rules = all.rules();
        List<StraySeed> strays = all.straySeeds();
        long bytes = all.bytes();
        Optional<ItemCounts> items = all.items();
        Optional<RenderCounts> render = all.render();
        Set<RequestId> exempt = Set.copyOf(all.exempt());
        for (int from = 0; from == 0 || from < ids; from += LedgerRecord.MOST_IDS) {
            List<EmittedRequest> emitted = part(all.emitted(), from, 0);
            records.add(
                    counts.ledger(new LedgerRecord(all.run(), emitted, part(all.answered(), from, all.emitted().size()),
                            refused, rules, strays, bytes, items).rendered(render)
                            .withExempt(emitted.stream().map(EmittedRequest::id).filter(exempt::contains).toList())));
            refused = Map.of();
            rules = Map.of();
            strays = List.of();
            bytes = 0;
            render = Optional.empty();
            items = items.map(_ -> ItemCounts.NONE);
        }
        return records;
    }

    /**
     * The part of a list that falls into the window of {@code MOST_IDS} ids from {@code from}, if the list begins at
     * {@code start} of all ids.
     */
    private static <T> List<T> part(List<T> list, int from, int start) {
        int begin = Math.clamp(from - start, 0, list.size());
        int end = Math.clamp(from + LedgerRecord.MOST_IDS - start, 0, list.size());
        return list.subList(begin, end);
    }

    /** The ledger entry of a request. */
    static EmittedRequest emitted(io.trawl.model.Request request) {
        return new EmittedRequest(request.id(), request.priority(), request.depth());
    }

    /** The ledger entries of page results. */
    static List<AnsweredRequest> answered(List<PageResult> pageResults) {
        return pageResults.stream().map(PageResult::answered).toList();
    }
}
