package io.trawl.standalone.e2e;

import io.trawl.analyzer.Analyzer;
import io.trawl.coordinator.Coordinator;
import io.trawl.downloader.Downloader;
import io.trawl.worker.StageFactory;
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
    /** The definition and its seeds are written, the crawl is not initialised. */
    DEFINED(Coordinator::factory),
    /** The crawl is to be started, and is not. */
    STARTING(Coordinator::factory),
    /** Seeds are admitted and committed, and not announced. */
    ADMITTED(Coordinator::factory),
    /** Everything is answered and stored, the end is not recorded. */
    FINISHING(Coordinator::factory);

    private final Supplier<StageFactory> factory;

    Moment(Supplier<StageFactory> factory) {
        this.factory = factory;
    }

    /** The factory of the stage that is killed. */
    StageFactory factory() {
        return factory.get();
    }
}
