package io.trawl.downloader.response;

import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.trawl.downloader.frontier.queue.DeliveredRecord;
import io.trawl.downloader.response.AnswerSettlement.AcknowledgedAnswer;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LogPartition;
import java.util.List;
import java.util.Optional;

/** A record that is being written. */
public sealed interface Unwritten {
    /** The answer to a request: a response. */
    record Answer(long ticket, LogPartition log, long offset, RequestAnswer answer) implements Unwritten {}

    /**
     * A ledger record: the answer to a request of which only the header is readable, or requests at another priority.
     */
    record Entry(List<AcknowledgedAnswer> settles, LedgerRecord ledger) implements Unwritten {}

    /** Tells the writer that Kafka has acknowledged copies of which the ledger has not learnt. */
    record Listing() implements Unwritten {}

    /** The same request elsewhere in the request topics, so that nothing is left to do at its offset. */
    record Copy(long ticket, LogPartition log, long offset, ForwardedRequest copy) implements Unwritten {}

    /** The bytes of memory that its body takes. */
    default int bytes() {
        return switch (this) {
            case Answer response -> response.answer().held();
            case Copy(var _, var _, var _, ForwardedRequest.AtEnd(DeliveredRecord original)) -> original.size();
            case Copy(var _, var _, var _, ForwardedRequest.AtPriority(DeliveredRecord original, var _, int _)) ->
                original.size();
            case Entry _,Copy _,Listing _ -> 0;
        };
    }

    /** The next smaller version of one that is too large; empty if there is none. */
    default Optional<Unwritten> smaller() {
        return switch (this) {
            case Answer(long ticket, LogPartition log, long offset, RequestAnswer answer) ->
                answer.smaller().map(less -> new Answer(ticket, log, offset, less));
            case Copy(long ticket, LogPartition log, long offset, ForwardedRequest.AtServer(RequestAnswer redirect, var _)) ->
                Optional.of(new Answer(ticket, log, offset, redirect.tooLarge()));
            case Copy _,Entry _,Listing _ -> Optional.empty();
        };
    }
}
