package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.definition.CrawlDefinition.HostLimits;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.Request.RequestId;
import io.trawl.politeness.HostBudgetStore;
import io.trawl.politeness.HostBudgetStore.BudgetVerdict;
import io.trawl.politeness.KeptSession;
import io.trawl.politeness.KeptSession.KeptCookie;
import io.trawl.politeness.HostSessionStore;
import io.trawl.pattern.UrlPattern;
import io.trawl.scope.PagesRule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisHostBudgetStoreIT {
    private static final CrawlRun RUN = CrawlRun.parse("docs/2");
    private static final HostKey HOST = new HostKey("[::1]:8080");
    private final String namespace = TestRedis.namespace();
    private final RedisStore store = TestRedis.shared().store(namespace);
    private final HostBudgetStore budgets = store.hostBudgets();
    private long requests;

    @AfterEach
    void close() {
        store.close();
    }

    private BudgetVerdict take(HostLimits limits) {
        return budgets.take(RUN, HOST, new RequestId(++requests), limits, Optional.empty());
    }

    private static HostLimits urls(long most) {
        return new HostLimits(Optional.of(most), Optional.empty(), Optional.empty());
    }

    @Test
    void theNextOwnerOfAHostGoesOnWhereTheLastOneWas() {
        assertThat(take(urls(3))).isEqualTo(BudgetVerdict.GRANTED);
        assertThat(take(urls(3))).isEqualTo(BudgetVerdict.GRANTED);
        try (RedisStore other = TestRedis.shared().store(namespace)) {
            assertThat(other.hostBudgets().take(RUN, HOST, new RequestId(3), urls(3), Optional.empty()))
                    .isEqualTo(BudgetVerdict.GRANTED);
            assertThat(other.hostBudgets().take(RUN, HOST, new RequestId(4), urls(3), Optional.empty()))
                    .isEqualTo(BudgetVerdict.URLS);
        }
        assertThat(budgets.take(RUN, new HostKey("b:80"), new RequestId(5), urls(3), Optional.empty()))
                .isEqualTo(BudgetVerdict.GRANTED);
        assertThat(budgets.take(CrawlRun.parse("docs/3"), HOST, new RequestId(6), urls(3), Optional.empty()))
                .isEqualTo(BudgetVerdict.GRANTED);
    }

    @Test
    void theSessionAtAHostGoesOnWhereTheLastOwnerWasAndEndsWithTheFactsOfItsRun() {
        HostSessionStore sessions = store.hostSessions();
        KeptSession second = new KeptSession(2,
                List.of(new KeptCookie("s", "a b=é", "/x", true, Optional.of(Instant.EPOCH))), Optional.of("login"));
        assertThat(sessions.find(RUN, HOST)).isEqualTo(KeptSession.NEW);
        assertThat(sessions.keep(RUN, HOST, new KeptSession(1, List.of(), Optional.empty()))).isZero();
        assertThat(sessions.keep(RUN, HOST, second)).isZero();
        for (long late : new long[]{1, 2}) {
            assertThat(sessions.keep(RUN, HOST, new KeptSession(late, List.of(), Optional.empty()))).isEqualTo(2);
        }
        try (RedisStore other = TestRedis.shared().store(namespace)) {
            assertThat(other.hostSessions().find(RUN, HOST)).isEqualTo(second);
            assertThat(other.hostSessions().find(CrawlRun.parse("docs/3"), HOST)).isEqualTo(KeptSession.NEW);
            assertThat(other.hostSessions().find(RUN, new HostKey("b:80"))).isEqualTo(KeptSession.NEW);
        }
        store.ledger().forget(RUN);
        assertThat(sessions.find(RUN, HOST)).isEqualTo(KeptSession.NEW);
    }

    @Test
    void aRepeatedCallCountsOnce() {
        for (int i = 0; i < 5; i++) {
            assertThat(budgets.take(RUN, HOST, new RequestId(7), urls(2), Optional.empty()))
                    .isEqualTo(BudgetVerdict.GRANTED);
        }
        assertThat(take(urls(2))).isEqualTo(BudgetVerdict.GRANTED);
        assertThat(take(urls(2))).isEqualTo(BudgetVerdict.URLS);
    }

    @Test
    void allHostsShareTheBudgetOfAPattern() {
        HostLimits any = new HostLimits(Optional.empty(), Optional.empty(), Optional.empty());
        Optional<PagesRule> tags = Optional.of(new PagesRule(UrlPattern.parse("/tag/**"), 2L));
        HostKey other = new HostKey("b:80");
        assertThat(budgets.take(RUN, HOST, new RequestId(1), any, tags)).isEqualTo(BudgetVerdict.GRANTED);
        assertThat(budgets.take(RUN, HOST, new RequestId(1), any, tags)).as("the same again")
                .isEqualTo(BudgetVerdict.GRANTED);
        assertThat(budgets.take(RUN, other, new RequestId(2), any, tags)).isEqualTo(BudgetVerdict.GRANTED);
        assertThat(budgets.take(RUN, HOST, new RequestId(3), any, tags)).isEqualTo(BudgetVerdict.PATTERN);
        assertThat(budgets.take(RUN, other, new RequestId(4), urls(1), tags)).as("the host is named")
                .isEqualTo(BudgetVerdict.URLS);
        assertThat(budgets.take(RUN, other, new RequestId(5), any,
                Optional.of(new PagesRule(UrlPattern.parse("/tag/**"), 3L)))).as("a larger one")
                .isEqualTo(BudgetVerdict.GRANTED);
        assertThat(budgets.take(CrawlRun.parse("docs/3"), HOST, new RequestId(6), any, tags)).as("another run")
                .isEqualTo(BudgetVerdict.GRANTED);
    }

    @Test
    void failuresAreCountedOnceEach() {
        HostLimits limits = new HostLimits(Optional.empty(), Optional.of(2L), Optional.empty());
        assertThat(take(limits)).isEqualTo(BudgetVerdict.GRANTED);
        budgets.failed(RUN, HOST, new RequestId(1));
        budgets.failed(RUN, HOST, new RequestId(1));
        assertThat(take(limits)).isEqualTo(BudgetVerdict.GRANTED);
        budgets.failed(RUN, HOST, new RequestId(2));
        assertThat(take(limits)).isEqualTo(BudgetVerdict.ERRORS);
    }

    @Test
    void theTimeBeginsWithTheFirstRequest() {
        HostLimits limits = new HostLimits(Optional.empty(), Optional.empty(), Optional.of(Duration.ofMillis(50)));
        assertThat(take(limits)).isEqualTo(BudgetVerdict.GRANTED);
        Awaitility.await().until(() -> take(limits) == BudgetVerdict.TIME);
    }

    @Test
    void aForgottenRunHasUsedNothing() {
        take(urls(1));
        store.ledger().forget(RUN);
        assertThat(take(urls(1))).isEqualTo(BudgetVerdict.GRANTED);
    }
}
