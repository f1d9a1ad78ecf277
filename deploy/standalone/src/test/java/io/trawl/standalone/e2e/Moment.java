package io.trawl.standalone.e2e;

import io.trawl.analyzer.Analyzer;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.worker.StageFactory;
import java.util.Optional;
import java.util.function.Supplier;

/** The two steps of the protocol between which a process is killed. Those of the pipeline are in its own module. */
enum Moment {
    /** The analyzer has stored the facts of a batch and has written nothing. */
    LEARNT(Analyzer::factory),
    /** The analyzer has begun to write its transaction: the ledger record is next, the commit comes after it. */
    WRITING(Analyzer::factory),
    /** The analyzer's transaction is committed, its requests are not announced. */
    COMMITTED(Analyzer::factory),
    /** Kafka has acknowledged an answer, its fact is not stored. */
    ACKNOWLEDGED(Downloader::factory),
    /** The fact of an answer is stored, the request is not marked. */
    TAUGHT(Downloader::factory),
    /** The request is marked, but its process does not know this yet, and no offset is committed. */
    MARKED(Downloader::factory),
    /** The crawl is defined, and is to be started. */
    DEFINED(Coordinator::factory),
    /** Its start is begun, and not complete. */
    STARTING(Coordinator::factory),
    /** Seeds are admitted and committed, and not announced. */
    ADMITTED(Coordinator::factory),
    /** Everything is answered and stored, the end is not recorded. */
    FINISHING(Coordinator::factory),

    /** The next request topics are made, the replacement is not decided. */
    DECIDING(Coordinator::factory),
    /** The replacement is decided and analyzers are fenced; a lease of the old topics is to be closed. */
    CLOSING(Coordinator::factory),
    /** All leases are closed; what they have left is to be noted for a partition of the next topics. */
    BEQUEATHING(Coordinator::factory),
    /** Nobody fetches from the old topics, the next ones are not open. */
    OPENING(Coordinator::factory),
    /** A request is copied in a transaction that is not committed. */
    FORWARDING(Coordinator::factory),
    /** Some requests are forwarded and committed, others are looked up. */
    FORWARDED(Coordinator::factory, FORWARDING),
    /**
     * A change of the channels is done, the record that says so is not written; for items and the ledger it is the
     * decision.
     */
    COMPLETING(Coordinator::factory),
    /** The old topics are replaced; they and their marks are there yet. */
    DROPPING(Coordinator::factory),
    /** Partitions of responses are added, that their layout ends is not written. */
    BARRING(Coordinator::factory),
    /** The ends of the layout of responses are read and not written. */
    LAYING(Coordinator::factory),
    /** The analyzer has read that the request topics are replaced. */
    TOLD(Analyzer::factory),
    /** The analyzer has begun a transaction with requests for the next topics. */
    NEXT(Analyzer::factory, TOLD),
    /** The analyzer has read where the layout of responses ends. */
    LAID(Analyzer::factory),
    /** Kafka has acknowledged copies of requests at another priority, the ledger has not learnt of them. */
    ENTERING(Downloader::factory),
    /** The ledger has learnt of moved requests, their offsets are not marked. */
    ENTERED(Downloader::factory, ENTERING),
    /** The downloader has read that the request topics are replaced, and gives nothing back. */
    ASKED(Downloader::factory),
    /** The downloader has noted its pauses and committed its last offsets, and has not released its leases. */
    RELEASING(Downloader::factory, ASKED),
    /** The downloader has read that the next request topics are open, and serves none. */
    OPENED(Downloader::factory),
    /** The downloader has read that the layout of responses ends. */
    BARRED(Downloader::factory);

    private final Supplier<StageFactory> factory;
    private final Optional<Moment> after;

    Moment(Supplier<StageFactory> factory) {
        this.factory = factory;
        this.after = Optional.empty();
    }

    Moment(Supplier<StageFactory> factory, Moment after) {
        this.factory = factory;
        this.after = Optional.of(after);
    }

    /** The moment that comes before it in the same process. */
    Optional<Moment> after() {
        return after;
    }

    /** The factory of the stage that is killed. */
    StageFactory factory() {
        return factory.get();
    }
}
