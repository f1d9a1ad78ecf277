package io.trawl.downloader.frontier;

import io.trawl.definition.CrawlDefinition.HostLimits;
import io.trawl.downloader.fetch.FetchResult;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.PendingRequest;
import io.trawl.downloader.politeness.RobotsVerdict;
import io.trawl.downloader.trap.SpiderTraps.HostOfRun;
import io.trawl.ledger.RunPermitStore.PermittedPage;
import io.trawl.model.CrawlRun;
import io.trawl.model.Durations;
import io.trawl.model.HostKey;
import io.trawl.model.Outcome;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.scope.PagesRule;
import io.trawl.politeness.HostBudgetStore.BudgetVerdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether requests are within the limits of their runs and the budgets of their hosts. A fetch for a run with a limit
 * of pages or bytes begins when its request has a permit of the run, by {@link FrontierAction.TakePermit}; while there
 * is none, the hosts wait whose next request is of that run. The best request of a host is counted when everything else
 * about it is known, by {@link FrontierAction.TakeBudget}, and keeps that for its retries. Once a budget is used up,
 * the host's requests are refused without asking again. Belongs to the frontier's thread.
 */
final class FetchBudgets {
    /** When there was no permit, the run asks again after this time. */
    private static final long PERMIT_PAUSE_NANOS = 250_000_000L;
    /** Beyond this number the budget that was used up first is asked about again. */
    private static final int MOST_USED_UP = 50_000;
    private final KnownTerms terms;
    private final RobotsChecks robotsChecks;
    private final ActionQueue actionQueue;
    private final Map<Long, Asked> asks = new HashMap<>();
    private final Map<HostOfRun, UsedUp> usedUp = new LinkedHashMap<>();
    /** There are as many as rules. */
    private final Set<PatternOfRun> usedUpPatterns = new HashSet<>();
    private final Map<Long, FrontierAction.BeginFetch> awaitingPermits = new HashMap<>();
    private final Map<CrawlRun, Long> withoutPermit = new HashMap<>();

    private record Asked(HostQueue host, PendingRequest request, Budget budget) {}

    /** What limits a request: the budget of its host, and that of the first pattern that it matches. */
    private record Budget(Optional<HostLimits> host, Optional<PagesRule> pattern) {
        private static final HostLimits NO_LIMITS = new HostLimits(Optional.empty(), Optional.empty(),
                Optional.empty());

        boolean isEmpty() { return host.isEmpty() && pattern.isEmpty(); }

        HostLimits limits() {
            return host.orElse(NO_LIMITS);
        }
    }

    private record UsedUp(HostLimits limits, BudgetVerdict verdict) {}

    private record PatternOfRun(CrawlRun run, PagesRule rule) {}

    FetchBudgets(KnownTerms terms, RobotsChecks robotsChecks, ActionQueue actionQueue) {
        this.terms = terms;
        this.robotsChecks = robotsChecks;
        this.actionQueue = actionQueue;
    }

    /** Whether nothing about the budget is left to ask before the request is fetched or answered. */
    boolean decided(PendingRequest p) {
        return p.granted() || budget(p).isEmpty() || refusal(p).isPresent() || !allowed(p);
    }

    /** Only a request that robots.txt allows uses a budget. */
    private boolean allowed(PendingRequest p) {
        return robotsChecks.reachable(p).flatMap(rules -> p.robots().verdict(rules, p.request().url()))
                .filter(verdict -> verdict == RobotsVerdict.ALLOWED).isPresent();
    }

    /** Requisites have a budget of their own. */
    private Optional<HostLimits> limits(PendingRequest p) {
        return p.request().options().requisite() ? Optional.empty() : terms.of(p.run()).hostLimits();
    }

    /** Under what name a host is counted: its requisites do not count with its pages. */
    private static HostKey account(PendingRequest p) {
        return p.request().options().requisite() ? new HostKey(p.server() + " requisites") : p.server();
    }

    private Budget budget(PendingRequest p) {
        return new Budget(limits(p), terms.of(p.run()).scope().budget(p.request()));
    }

    /** The limits of a run are for pages that it finds: not for their requisites, nor for those that it visits. */
    private static boolean exempt(Request request) {
        return request.options().requisite() || request.visit().isPresent();
    }

    /** Whether its fetch needs a permit of the run, which accepts it. */
    boolean limited(Request request) {
        return !exempt(request) && terms.of(request.run()).limited();
    }

    /** Counts the best request of a host, if that is the last that must be known. */
    void ask(HostQueue host) {
        host.head().filter(p -> !p.claiming() && !decided(p)).ifPresent(p -> {
            Budget budget = budget(p);
            long ticket = actionQueue.ticket();
            p.claim();
            host.asked();
            asks.put(ticket, new Asked(host, p, budget));
            actionQueue.add(new FrontierAction.TakeBudget(ticket, p.run(), account(p), p.request().id(),
                    budget.limits(), budget.pattern()));
        });
    }

    /** Takes a verdict; returns the host, which must be placed again. */
    Optional<HostQueue> taken(long ticket, BudgetVerdict verdict) {
        Asked asked = asks.remove(ticket);
        if (asked == null) {
            return Optional.empty();
        }
        PendingRequest p = asked.request();
        p.claimed(verdict == BudgetVerdict.GRANTED);
        asked.host().answered();
        if (verdict == BudgetVerdict.PATTERN) {
            asked.budget().pattern().ifPresent(rule -> usedUpPatterns.add(new PatternOfRun(p.run(), rule)));
        } else if (verdict != BudgetVerdict.GRANTED) {
            usedUp.put(new HostOfRun(p.run(), p.server()), new UsedUp(asked.budget().limits(), verdict));
            if (usedUp.size() > MOST_USED_UP) {
                usedUp.remove(usedUp.keySet().iterator().next());
            }
        }
        return Optional.of(asked.host());
    }

    /** The answer to a request whose host, or whose pattern, has used its budget up. */
    Optional<Outcome> refusal(PendingRequest p) {
        return p.granted() ? Optional.empty() : ofHost(p).or(() -> ofPattern(p));
    }

    private Optional<Outcome> ofHost(PendingRequest p) {
        UsedUp used = usedUp.isEmpty() ? null : usedUp.get(new HostOfRun(p.run(), p.server()));
        return used == null || !limits(p).equals(Optional.of(used.limits()))
                ? Optional.empty()
                : Optional.of(new Outcome.Refused(RefusalReason.BUDGET,
                        p.server() + " has used its budget up: " + text(used)));
    }

    private Optional<Outcome> ofPattern(PendingRequest p) {
        return usedUpPatterns.isEmpty()
                ? Optional.empty()
                : budget(p).pattern().filter(rule -> usedUpPatterns.contains(new PatternOfRun(p.run(), rule)))
                        .map(rule -> p.request().options().requisite()
                                ? ofRequisites(rule)
                                : new Outcome.Refused(
                                        RefusalReason.BUDGET, "the pattern " + rule.match()
                                                + " has used its budget up: " + rule.pages() + " URLs (scope.maxPages)",
                                        Optional.of("scope.maxPages: " + rule)));
    }

    private static Outcome.Refused ofRequisites(PagesRule rule) {
        return new Outcome.Refused(RefusalReason.BUDGET,
                "the run has used its budget of requisites up: " + rule.pages() + " (scope.requisites.maxRequests)",
                Optional.of("scope.requisites.maxRequests: " + rule.pages()));
    }

    private static String text(UsedUp used) {
        HostLimits limits = used.limits();
        return switch (used.verdict()) {
            case URLS -> limits.maxUrls().orElse(0L) + " URLs (limits.host.maxUrls)";
            case ERRORS -> limits.maxErrors().orElse(0L) + " failures (limits.host.maxErrors)";
            case TIME -> limits.maxTime().map(Durations::format).orElse("") + " since the first (limits.host.maxTime)";
            case GRANTED, PATTERN -> throw new IllegalStateException("no budget of a host");
        };
    }

    /** Begins a fetch, if need be after it has a permit. */
    void begin(FrontierAction.BeginFetch fetch) {
        CrawlRun run = fetch.request().run();
        if (limited(fetch.request())) {
            awaitingPermits.put(fetch.ticket(), fetch);
            actionQueue.add(new FrontierAction.TakePermit(fetch.ticket(), run, fetch.request().id()));
        } else {
            actionQueue.add(fetch);
        }
    }

    /** Begins the fetch that has a permit now, or makes its run wait; false if no fetch has this ticket. */
    boolean permitTaken(long ticket, boolean taken, long now) {
        FrontierAction.BeginFetch fetch = awaitingPermits.remove(ticket);
        if (fetch == null) {
            return false;
        }
        if (taken) {
            actionQueue.add(fetch);
        } else {
            withoutPermit.put(fetch.request().run(), now + PERMIT_PAUSE_NANOS);
        }
        return true;
    }

    /** The time from which a request may begin, as far as its run is concerned. */
    long mayStart(PendingRequest p, long now) {
        return exempt(p.request()) ? 0 : mayStart(p.run(), now);
    }

    /** The time from which a request of the run may ask for a permit. */
    long mayStart(CrawlRun run, long now) {
        Long next = withoutPermit.get(run);
        if (next != null && next <= now) {
            withoutPermit.remove(run);
        }
        return next == null ? 0 : next;
    }

    /** A fetch is over: without a page it gives its permit back at once, also if it is retried later. */
    void fetched(PendingRequest p, FetchResult fetchResult) {
        if (!limited(p.request())) {
            return;
        }
        actionQueue.add(fetchResult.outcome() instanceof Outcome.Success
                ? new FrontierAction.SpendPermit(p.run(), p.request().id(),
                        new PermittedPage(fetchResult.body().length(), false))
                : new FrontierAction.ReturnPermit(p.run(), p.request().id()));
    }

    /** The answer to a request is in Kafka. */
    void acknowledged(PendingRequest p, int bytes) {
        if (bytes > 0 && limited(p.request())) {
            actionQueue.add(new FrontierAction.SpendPermit(p.run(), p.request().id(), new PermittedPage(bytes, true)));
        }
    }

    /** A fetch has failed for good. */
    void failed(PendingRequest p) {
        if (limits(p).isPresent()) {
            actionQueue.add(new FrontierAction.CountFailure(p.run(), p.server(), p.request().id()));
        }
    }
}
