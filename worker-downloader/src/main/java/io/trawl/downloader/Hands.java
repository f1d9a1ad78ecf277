package io.trawl.downloader;

import io.trawl.downloader.answer.Acknowledged;
import io.trawl.downloader.answer.AnswerWriter;
import io.trawl.downloader.answer.AnswerWriter.Unwritten;
import io.trawl.downloader.answer.Desk;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.downloader.frontier.Action;
import io.trawl.downloader.robots.RobotsSource;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Carries out what the frontier wants, and reports back to it. Called on the frontier's thread: everything here only hands work over.
 *
 * @param unreadables takes offsets without a request
 * @param lookUps asks the ledger
 * @param settling learns and marks
 * @param refreshes reads {@code control}
 * @param closures writes down how long hosts are closed
 * @param spans follows requests that belong to a trace
 */
record Hands(FrontierLoop frontier, RequestReader reader, RequestBodies bodies, RequestTopics topics, Fetcher fetcher,
        RobotsSource robots,
        AnswerWriter answers,
        Desk<Unreadable> unreadables, Desk<Action.LookUp> lookUps, Desk<Acknowledged> settling, Desk<CrawlRun> refreshes,
        Closures closures,
        DownloaderMetrics metrics, DownloadSpans spans) implements Consumer<Action> {
    @Override
    public void accept(Action action) {
        switch (action) {
            case Action.LookUp lookUp -> lookUps.add(lookUp);
            case Action.LoadRobots load -> robots.load(load.host(), load.scheme(), load.profile(), load.clearance())
                    .thenAccept(rules -> frontier.tell((f, now) -> f.robotsLoaded(load.ticket(), rules, now)));
            case Action.Fetch fetch -> {
                spans.turn(fetch.request());
                fetcher.fetch(fetch.request(), fetch.profile(), fetch.clearance()).thenAccept(fetched -> {
                    frontier.tell((f, now) -> f.fetched(fetch.ticket(), fetched, now));
                    metrics.fetched(fetched);
                });
            }
            case Action.Closed closed -> closures.closed(closed);
            case Action.Answer answer -> {
                metrics.answered(answer.reply());
                answers.write(new Unwritten.Answer(answer.ticket(), topics.log(topics.partition(answer.lane())), answer.offset(),
                        spans.answered(answer.reply())));
            }
            case Action.Pass pass -> settling
                    .add(new Acknowledged(pass.ticket(), topics.log(topics.partition(pass.lane())), pass.offset(),
                            Optional.empty()));
            case Action.Unreadable none -> unreadables
                    .add(new Unreadable(none.ticket(), topics.log(topics.partition(none.lane())), none.offset(), none.why(),
                            none.remains()));
            case Action.Read read -> bodies.want(read);
            case Action.Refresh refresh -> refreshes.add(refresh.run());
            case Action.Commit commit -> reader.obey(commit);
            case Action.Reread reread -> reader.obey(reread);
            case Action.Scan scan -> reader.obey(scan);
        }
    }

    /** Asks the ledger, one call per run, and passes its answers on. */
    static Consumer<List<Action.LookUp>> lookingUp(Ledger ledger, FrontierLoop frontier) {
        return batch -> {
            Map<CrawlRun, List<Action.LookUp>> byRun = new LinkedHashMap<>();
            batch.forEach(lookUp -> byRun.computeIfAbsent(lookUp.run(), run -> new ArrayList<>()).add(lookUp));
            byRun.forEach((run, lookUps) -> {
                List<UrlFacts> facts = ledger.lookUp(run,
                        lookUps.stream().flatMap(l -> l.urls().stream()).map(Fingerprint::of).toList());
                int at = 0;
                for (Action.LookUp lookUp : lookUps) {
                    List<UrlFacts> own = facts.subList(at, at += lookUp.urls().size());
                    frontier.tell((f, now) -> f.judged(lookUp.ask(), own, now));
                }
            });
        };
    }
}
