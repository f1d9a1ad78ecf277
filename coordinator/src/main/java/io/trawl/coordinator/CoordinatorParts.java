package io.trawl.coordinator;

import io.trawl.admission.Admission;
import io.trawl.control.ControlRecord.Channels;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.coordinator.lifecycle.Book;
import io.trawl.coordinator.lifecycle.DefinitionRules;
import io.trawl.coordinator.lifecycle.Progress;
import io.trawl.coordinator.lifecycle.UnknownCrawl;
import io.trawl.coordinator.queue.CapacityRule;
import io.trawl.coordinator.queue.QueueRefusals;
import io.trawl.coordinator.queue.QueueWatch;
import io.trawl.coordinator.summary.Tally;
import io.trawl.model.CrawlId;
import io.trawl.coordinator.webhook.Webhooks;
import io.trawl.worker.WorkerContext;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * What a coordinator has whether it leads or not.
 *
 * @param context what the skeleton hands to the stage
 * @param book what control says
 * @param progress how far the other stages are
 * @param tally what the ledger topic adds up to
 * @param queue how full the channels are
 * @param refusals what was refused before it came to a channel
 * @param admission the rules for URLs
 * @param ids random ids for requests
 * @param webhooks tell others of events while this coordinator leads
 */
record CoordinatorParts(WorkerContext context, Book book, Progress progress, Tally tally, QueueWatch queue,
        QueueRefusals refusals,
        Admission admission, LongSupplier ids, Webhooks webhooks) {
    /**
     * A crawl as it is known here; one that is not is looked for in {@code control} once more.
     *
     * @throws UnknownCrawl if there is none
     */
    CrawlStatus known(CrawlId crawl) throws InterruptedException {
        Optional<CrawlStatus> status = book.crawl(crawl);
        if (status.isEmpty()) {
            context.control().refresh();
            status = book.crawl(crawl);
        }
        return status.orElseThrow(() -> new UnknownCrawl(crawl));
    }

    /** The rules for what users send, as they are in this deployment. */
    DefinitionRules rules() {
        return new DefinitionRules(admission,
                book.channels().map(Channels::levels).orElse(context.settings().topics().levels()));
    }

    /** The capacities of a deployment that has these channels. */
    CapacityRule capacity(Channels channels) {
        return new CapacityRule(context.settings().topics().capacity(), channels.levels());
    }
}
