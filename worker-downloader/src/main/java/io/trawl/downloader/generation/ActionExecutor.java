package io.trawl.downloader.generation;

import io.trawl.downloader.generation.ServedGeneration.DownloadRecorder;
import io.trawl.codec.BodyPacking;
import io.trawl.downloader.generation.UnreadableRecordHandler.UnreadableRecord;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.fetch.Fetcher;
import io.trawl.downloader.fetch.budget.BodyMemory;
import io.trawl.downloader.frontier.FrontierAction;
import io.trawl.downloader.partition.FrontierLoop;
import io.trawl.downloader.frontier.inflight.ForwardedRequest;
import io.trawl.downloader.frontier.inflight.RequestAnswer;
import io.trawl.downloader.partition.BodyReader;
import io.trawl.downloader.partition.PauseWriter;
import io.trawl.downloader.partition.RequestReader;
import io.trawl.downloader.partition.RequestTopics;
import io.trawl.downloader.response.AnswerSettlement.AcknowledgedAnswer;
import io.trawl.downloader.response.BatchExecutor;
import io.trawl.downloader.response.ResponseWriter;
import io.trawl.downloader.response.Unwritten;
import io.trawl.downloader.politeness.RobotsSource;
import io.trawl.downloader.trap.SpiderTraps;
import io.trawl.ledger.Fingerprint;
import io.trawl.downloader.frontier.queue.RequestPartition;
import io.trawl.ledger.LogPartition;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.RunPermitStore;
import io.trawl.ledger.RunPermitStore.PermittedPage;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.politeness.HostBudgetStore;
import io.trawl.politeness.HostBudgetStore.BudgetVerdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Carries out the frontier's actions and reports the results back to it. Called on the frontier's thread, so every
 * action is only handed over to another thread. The parts come in the order in which a request passes them; none knows
 * another one.
 */
record ActionExecutor(FrontierLoop frontier, RequestSource source, StoreCalls calls, Fetches fetches, AnswerPath path,
        DownloadRecorder recorder) implements Consumer<FrontierAction> {
    /** Where requests come from. */
    record RequestSource(RequestReader reader, BodyReader bodies, RequestTopics topics) {
        private LogPartition log(RequestPartition requestPartition) {
            return topics.log(topics.partition(requestPartition));
        }
    }

    /**
     * What is asked of Redis and Kafka before a turn.
     *
     * @param lookUps looks requests up in the ledger
     * @param budgets counts requests and failures, in order
     * @param permits takes the permits of runs with limits, and gives them back
     * @param refreshes reads {@code control}
     * @param pauses records the pauses of hosts
     */
    record StoreCalls(BatchExecutor<FrontierAction.LookUp> lookUps, BatchExecutor<FrontierAction.UseBudget> budgets,
            BatchExecutor<FrontierAction.UsePermit> permits, BatchExecutor<CrawlRun> refreshes, PauseWriter pauses) {}

    /**
     * What asks servers.
     *
     * @param names begins to look a name up
     * @param memory holds bodies between a fetch and its answer
     * @param traps judges hosts by their pages, on the thread that completes the fetch
     * @param packing packs bodies, on the same thread
     */
    record Fetches(Fetcher fetcher, Function<String, ? extends CompletableFuture<?>> names, RobotsSource robots,
            BodyMemory memory, SpiderTraps traps, BodyPacking packing) {}

    /**
     * Where answers go.
     *
     * @param unreadables handles offsets without a readable request
     * @param settling writes facts and marks
     */
    record AnswerPath(ResponseWriter answers, BatchExecutor<UnreadableRecord> unreadables,
            BatchExecutor<AcknowledgedAnswer> settling) {}

    @Override
    public void accept(FrontierAction frontierAction) {
        switch (frontierAction) {
            case FrontierAction.LookUp lookUp -> calls.lookUps().add(lookUp);
            case FrontierAction.UseBudget use -> calls.budgets().add(use);
            case FrontierAction.UsePermit use -> calls.permits().add(use);
            case FrontierAction.LoadRobots load ->
                fetches.robots().load(load.host(), load.scheme(), load.profile(), load.permit())
                        .thenAccept(loaded -> frontier.send((f, now) -> f.robotsLoaded(load.ticket(), loaded, now)));
            case FrontierAction.ResolveNames resolve ->
                CompletableFuture.allOf(resolve.names().stream().map(fetches.names()).toArray(CompletableFuture[]::new))
                        .whenComplete((_, _) -> frontier.send((f, now) -> f.namesResolved(resolve.ticket(), now)));
            case FrontierAction.CheckRobots check -> fetches.robots().check(check.rules(), check.urls())
                    .thenAccept(verdicts -> frontier.send((f, now) -> f.robotsChecked(check.ticket(), verdicts, now)));
            case FrontierAction.BeginFetch beginFetch -> {
                recorder.spans().turn(beginFetch.request());
                fetches.fetcher().fetch(beginFetch.request(), beginFetch.profile(), beginFetch.permit())
                        .thenAccept(fetchResult -> fetched(beginFetch, fetchResult));
            }
            case FrontierAction.RecordPause recordPause -> calls.pauses().closed(recordPause);
            case FrontierAction.SendAnswer sendAnswer -> {
                recorder.metrics().answered(sendAnswer.answer());
                recorder.answers().answered(sendAnswer.answer());
                path.answers()
                        .write(new Unwritten.Answer(sendAnswer.ticket(), source.log(sendAnswer.requestPartition()),
                                sendAnswer.offset(), recorder.spans().answered(sendAnswer.answer())));
            }
            case FrontierAction.Forward forward -> {
                recorder.metrics().forwarded(forward.copy());
                path.answers().write(new Unwritten.Copy(forward.ticket(), source.log(forward.requestPartition()),
                        forward.offset(), traced(forward.copy())));
            }
            case FrontierAction.Pass pass -> path.settling().add(new AcknowledgedAnswer(pass.ticket(),
                    source.log(pass.requestPartition()), pass.offset(), Optional.empty()));
            case FrontierAction.ReportUnreadable none -> path.unreadables().add(new UnreadableRecord(none.ticket(),
                    source.log(none.requestPartition()), none.offset(), none.why(), none.salvaged()));
            case FrontierAction.ReadBodies readBodies -> source.bodies().read(readBodies);
            case FrontierAction.Refresh refresh -> calls.refreshes().add(refresh.run());
            case FrontierAction.CommitOffset commitOffset -> source.reader().submit(commitOffset);
            case FrontierAction.Reread reread -> source.reader().submit(reread);
            case FrontierAction.Scan scan -> source.reader().submit(scan);
        }
    }

    private void fetched(FrontierAction.BeginFetch beginFetch, FetchResult fetchResult) {
        FetchResult packed = fetchResult.withBody(fetches.packing().pack(fetchResult.body()));
        int bytes = packed.body().held().length;
        fetches.memory().hold(bytes);
        frontier.send((f, now) -> {
            f.fetched(beginFetch.ticket(), packed, now);
            fetches.memory().release(bytes);
        });
        recorder.metrics().fetched(fetchResult);
        fetches.traps().fetched(beginFetch.request(), fetchResult)
                .forEach(change -> frontier.send((f, now) -> f.postpone(change.host(), change.trap(), now)));
    }

    private ForwardedRequest traced(ForwardedRequest copy) {
        if (copy instanceof ForwardedRequest.AtServer(RequestAnswer answer, Request request)) {
            RequestAnswer redirect = recorder.spans().answered(answer);
            return new ForwardedRequest.AtServer(redirect, request.withTrace(redirect.request().trace()));
        }
        return copy;
    }

    /** Counts requests and failures in the order given. */
    static Consumer<List<FrontierAction.UseBudget>> usingBudgets(HostBudgetStore store, FrontierLoop frontier) {
        return batch -> batch.forEach(use -> {
            switch (use) {
                case FrontierAction.TakeBudget take -> {
                    BudgetVerdict verdict = store.take(take.run(), take.host(), take.request(), take.limits(),
                            take.pattern());
                    frontier.send((f, now) -> f.budgetTaken(take.ticket(), verdict, now));
                }
                case FrontierAction.CountFailure failure ->
                    store.failed(failure.run(), failure.host(), failure.request());
            }
        });
    }

    /** Ends permits, and then takes others, with one call per run and kind. */
    static Consumer<List<FrontierAction.UsePermit>> usingPermits(RunPermitStore store, FrontierLoop frontier) {
        return batch -> {
            batch.stream().collect(Collectors.groupingBy(FrontierAction.UsePermit::run)).forEach((run, uses) -> {
                List<RequestId> returned = each(uses, FrontierAction.ReturnPermit.class)
                        .map(FrontierAction.ReturnPermit::request).toList();
                if (!returned.isEmpty()) {
                    store.giveBack(run, returned);
                }
                Map<RequestId, PermittedPage> spent = each(uses, FrontierAction.SpendPermit.class)
                        .collect(Collectors.toMap(FrontierAction.SpendPermit::request, FrontierAction.SpendPermit::page,
                                (first, last) -> last));
                if (!spent.isEmpty()) {
                    store.spend(run, spent);
                }
                List<FrontierAction.TakePermit> takes = each(uses, FrontierAction.TakePermit.class).toList();
                if (!takes.isEmpty()) {
                    int granted = store.take(run, takes.stream().map(FrontierAction.TakePermit::request).toList());
                    for (int i = 0; i < takes.size(); i++) {
                        long ticket = takes.get(i).ticket();
                        boolean taken = i < granted;
                        frontier.send((f, now) -> f.permitTaken(ticket, taken, now));
                    }
                }
            });
        };
    }

    private static <T> Stream<T> each(List<FrontierAction.UsePermit> uses, Class<T> kind) {
        return uses.stream().filter(kind::isInstance).map(kind::cast);
    }

    /** Looks requests up in the ledger, with one call per run, and passes the facts to the frontier. */
    static Consumer<List<FrontierAction.LookUp>> lookingUp(Ledger ledger, FrontierLoop frontier) {
        return batch -> {
            Map<CrawlRun, List<FrontierAction.LookUp>> byRun = new LinkedHashMap<>();
            batch.forEach(lookUp -> byRun.computeIfAbsent(lookUp.run(), run -> new ArrayList<>()).add(lookUp));
            byRun.forEach((run, lookUps) -> {
                List<UrlFacts> facts = ledger.lookUp(run,
                        lookUps.stream().flatMap(l -> l.identities().stream()).map(Fingerprint::of).toList());
                int at = 0;
                for (FrontierAction.LookUp lookUp : lookUps) {
                    List<UrlFacts> own = facts.subList(at, at += lookUp.identities().size());
                    frontier.send((f, now) -> f.lookedUp(lookUp.ask(), own, now));
                }
            });
        };
    }
}
