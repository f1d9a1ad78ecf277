package io.trawl.coordinator.probe;

import io.trawl.admission.Candidate;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.coordinator.lifecycle.Book;
import io.trawl.coordinator.probe.Traces.TracedRequest;
import io.trawl.coordinator.workers.Frontiers;
import io.trawl.coordinator.workers.Frontiers.Look;
import io.trawl.direct.FrontierView;
import io.trawl.direct.FrontierView.RequestView;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LedgerUnavailable;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.KafkaException;

/**
 * Who is asked about a URL: the ledger, the downloader that has its host, the topics. Each may not answer; then the story says so, and is told without it.
 * Thread-safe.
 */
final class Witnesses {
    private final Book book;
    private final Ledger ledger;
    private final Frontiers frontiers;
    private final Traces traces;

    Witnesses(Book book, Ledger ledger, Frontiers frontiers, Traces traces) {
        this.book = book;
        this.ledger = ledger;
        this.frontiers = frontiers;
        this.traces = traces;
    }

    /** What the ledger knows of a URL in normal form. */
    Optional<UrlFacts> facts(Story story, CrawlRun run, String url) {
        try {
            return Optional.of(ledger.lookUp(run, List.of(Fingerprint.of(url))).getFirst());
        } catch (LedgerUnavailable e) {
            story.say("What the ledger knows of it cannot be told: Redis does not answer (" + e.getMessage() + ").");
            return Optional.empty();
        }
    }

    /** What the downloader says that has the host. */
    Optional<Look> look(Story story, HostKey host, CrawlRun run, Optional<String> url) throws InterruptedException {
        Optional<Channels> channels = book.channels();
        if (channels.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(frontiers.look(host, run, url, channels.get()));
        } catch (LedgerUnavailable e) {
            story.say("No downloader can be asked: Redis, where they are registered, does not answer.");
            return Optional.empty();
        }
    }

    /** Whether a seed of this URL waits for its admission. */
    boolean seedWaits(Story story, CrawlRun run, String url) throws InterruptedException {
        try {
            return traces.seedWaits(run, url);
        } catch (KafkaException e) {
            story.say("The seeds cannot be searched: Kafka does not answer (" + e.getMessage() + ").");
            return false;
        }
    }

    /** The request that a frontier says it has. */
    Optional<TracedRequest> request(Story story, FrontierView view, RequestView request) throws InterruptedException {
        return traced(story, channels -> traces.request(channels, request.topicPriority(), view.partition(), request.offset()));
    }

    /** The request of a URL, wherever it stands. */
    Optional<TracedRequest> request(Story story, CrawlRun run, Candidate.Open open) throws InterruptedException {
        return traced(story, channels -> traces.request(channels, open.host(), run, open.url()));
    }

    private interface Search {
        Optional<TracedRequest> in(Channels channels) throws InterruptedException;
    }

    private Optional<TracedRequest> traced(Story story, Search search) throws InterruptedException {
        Optional<Channels> channels = book.channels();
        if (channels.isEmpty()) {
            return Optional.empty();
        }
        try {
            return search.in(channels.get());
        } catch (KafkaException e) {
            story.say("Its request cannot be searched for: Kafka does not answer (" + e.getMessage() + ").");
            return Optional.empty();
        }
    }
}
