package io.trawl.redis;

import static io.trawl.redis.RedisConnection.text;

import io.trawl.definition.CrawlDefinition.HostLimits;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Request.RequestId;
import io.trawl.scope.PagesRule;
import io.trawl.politeness.HostBudgetStore;
import java.time.Duration;
import java.util.Optional;

/** The used budgets of a run as one hash, by host and by pattern. It is deleted with the facts of the run. */
record RedisHostBudgetStore(RedisConnection redis, RedisKeys redisKeys) implements HostBudgetStore {
    private static final long NONE = -1;
    /** No host has a space. */
    private static final String PATTERN = "pattern ";

    @Override
    public BudgetVerdict take(CrawlRun run, HostKey host, RequestId request, HostLimits limits,
            Optional<PagesRule> pattern) {
        long verdict = redis.number(RedisScript.BUDGET_TAKE, redisKeys.budgets(run), text(host.value()),
                text(request.toString()), text(limits.maxUrls().orElse(NONE)), text(limits.maxErrors().orElse(NONE)),
                text(limits.maxTime().map(Duration::toMillis).orElse(NONE)),
                text(pattern.map(rule -> PATTERN + rule.match()).orElse("")),
                text(pattern.map(PagesRule::pages).orElse(NONE)));
        return BudgetVerdict.values()[(int) verdict];
    }

    @Override
    public void failed(CrawlRun run, HostKey host, RequestId request) {
        redis.number(RedisScript.BUDGET_FAILED, redisKeys.budgets(run), text(host.value()), text(request.toString()));
    }
}
