package io.trawl.downloader.frontier.inflight;

import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.model.Request;

/**
 * A request that goes on elsewhere in the request topics under its id. First Kafka acknowledges the copy, then its
 * offset is marked: a crash in between leaves two records of one id, of which the second is a duplicate
 * (docs/protocol.md, rule 31).
 */
public sealed interface ForwardedRequest {
    /** At the end of its partition, byte by byte. */
    record AtEnd(DeliveredRecord original) implements ForwardedRequest {}

    /**
     * In the partition with the same number of another priority. The ledger learns of it before the offset is marked.
     *
     * @param request at that priority
     * @param order the number of the order to move it
     */
    record AtPriority(DeliveredRecord original, Request request, int order) implements ForwardedRequest {}

    /**
     * At another address of its page, in the partition of its server.
     *
     * @param redirect the answer in whose place the request goes on
     */
    record AtServer(RequestAnswer redirect, Request request) implements ForwardedRequest {}
}
