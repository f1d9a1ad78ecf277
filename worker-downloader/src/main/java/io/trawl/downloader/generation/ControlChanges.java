package io.trawl.downloader.generation;

import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Deleted;
import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.ledger.ResponseLayout;
import io.trawl.control.StopSign;
import io.trawl.control.StopSign.SignScope;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.downloader.partition.FrontierLoop;
import io.trawl.model.CrawlRun;
import io.trawl.worker.WorkerContext;
import java.util.List;
import org.apache.kafka.common.errors.InterruptException;

/**
 * What the {@code control} topic says to this downloader: tells the frontier of it, and others when they ask.
 * Thread-safe.
 */
public final class ControlChanges {
    private final WorkerContext context;
    private final FrontierLoop loop;
    private final int generation;

    /** @param generation of the request topics that are served */
    ControlChanges(WorkerContext context, FrontierLoop loop, int generation) {
        this.context = context;
        this.loop = loop;
        this.generation = generation;
    }

    /** A record of crawls, stop signs or orders has come. */
    public void changed(ControlRecord record) {
        switch (record) {
            case CrawlStatus crawl -> loop.send((f, now) -> {
                f.crawlChanged(crawl.run().crawl(), now);
                f.ordered(context.control().queueMoves(), generation);
            });
            case QueueMoves _ -> loop.send((f, _) -> f.ordered(context.control().queueMoves(), generation));
            case StopSign _,Deleted _ -> changed();
            default -> {
                // Nothing that the frontier knows.
            }
        }
    }

    /** All that is known of crawls, stop signs and orders may have changed. */
    public void changed() {
        loop.send((f, now) -> {
            f.crawlsChanged(signs(), now);
            f.ordered(context.control().queueMoves(), generation);
        });
    }

    /** The stop signs that this downloader deals with. */
    public List<StopSign> signs() {
        return context.control().stopSigns().stream().filter(sign -> sign.scope().concerns(context.mid())).toList();
    }

    /** Whether the sign of this downloader is in force, the frontier has read it, and nothing is in flight. */
    boolean drained() {
        String own = SignScope.of(context.mid()).key();
        return context.control().stopped(context.mid()) && loop.status().deals().stream()
                .anyMatch(deal -> deal.sign().equals(own) && (deal.took().isPresent() || deal.inFlight() == 0));
    }

    boolean notOver(CrawlRun run) {
        return context.control().status(run) != RunStatus.OVER;
    }

    /** Where responses are written to, when all that is on {@code control} now is read. */
    ResponseLayout newestLayout() {
        try {
            context.control().refresh();
            return context.control().responseLayout();
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** Reads all that is on {@code control} now, which may be about these runs. */
    void refresh(List<CrawlRun> runs) {
        try {
            context.control().refresh();
            runs.forEach(run -> loop.send((f, now) -> f.refreshed(run, now)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
