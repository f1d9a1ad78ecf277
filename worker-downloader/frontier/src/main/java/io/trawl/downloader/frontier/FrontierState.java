package io.trawl.downloader.frontier;

import io.trawl.downloader.frontier.fairness.RunWeights;
import io.trawl.downloader.frontier.inflight.InFlightRequests;
import io.trawl.downloader.frontier.inflight.RetryQueue;
import io.trawl.downloader.frontier.inflight.StopSignProgress;
import io.trawl.downloader.frontier.queue.AssignedPartitions;
import io.trawl.downloader.frontier.queue.BodyBudget;
import io.trawl.downloader.frontier.queue.HostTable;
import io.trawl.downloader.politeness.PartitionLeases;
import io.trawl.downloader.politeness.RetryPolicy;
import io.trawl.downloader.politeness.UnresponsiveHosts;
import io.trawl.module.Counters;

/**
 * The tables of one frontier: what it knows of runs, hosts, partitions and requests, and what it has asked others for.
 * The classes that decide take all of them from here, so that a new table is one field. Belongs to the frontier's
 * thread.
 */
final class FrontierState {
    final FrontierSettings settings;
    final RetryPolicy retryPolicy;
    final Counters counters;
    final KnownTerms terms;
    final ActionQueue actionQueue = new ActionQueue();
    final PartitionLeases partitionLeases = new PartitionLeases();
    final LedgerLookups ledgerLookups = new LedgerLookups();
    final RetryQueue retryQueue = new RetryQueue();
    final StopSignProgress stopSignProgress = new StopSignProgress();
    final UnresponsiveHosts unresponsiveHosts;
    final RobotsChecks robotsChecks;
    final FetchBudgets budgets;
    final NameLookups nameLookups;
    final BodyBudget bodyBudget;
    final HostTable hostTable;
    final AssignedPartitions assignedPartitions;
    final ScanBudget scanBudget;
    final InFlightRequests inFlightRequests;
    final PendingAnswers pendingAnswers;
    final RequestParking requestParking;

    FrontierState(FrontierSettings settings, CrawlTerms crawlTerms, RobotsChecks.HostRobots rules,
            NameLookups.KnownNames names, RetryPolicy retryPolicy, Counters counters) {
        this.settings = settings;
        this.retryPolicy = retryPolicy;
        this.counters = counters;
        this.terms = new KnownTerms(crawlTerms);
        this.unresponsiveHosts = new UnresponsiveHosts(settings.giveUpRules());
        this.robotsChecks = new RobotsChecks(rules, terms, actionQueue);
        this.budgets = new FetchBudgets(terms, robotsChecks, actionQueue);
        this.nameLookups = new NameLookups(names, terms, actionQueue);
        this.bodyBudget = new BodyBudget(settings.bodies());
        this.hostTable = new HostTable(settings.levels(), bodyBudget, settings.shares(),
                new RunWeights(run -> terms.of(run).weight(), run -> terms.of(run).mostInFlight()), settings.slots(),
                settings.perHost());
        this.assignedPartitions = new AssignedPartitions(settings.levels(), settings.relocationRules(),
                settings.stragglerRules());
        this.scanBudget = new ScanBudget(settings.levels(), settings.pending());
        this.inFlightRequests = new InFlightRequests(settings.slots(), hostTable.slotShares(), stopSignProgress);
        this.pendingAnswers = new PendingAnswers(assignedPartitions, stopSignProgress, counters, actionQueue);
        this.requestParking = new RequestParking(terms, assignedPartitions, pendingAnswers, actionQueue);
    }
}
