package io.trawl.redis;

import java.util.List;
import io.trawl.ledger.SeedDomains.SeedDomainStore;
import io.trawl.ledger.SeedDomains;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlState;
import io.trawl.definition.CrawlDefinition.Scope;
import io.trawl.definition.CrawlDefinition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.trawl.admission.AcceptedDomains;
import io.trawl.admission.AcceptedDomains.DomainAnswer;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlView.DomainMirror;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.model.CrawlRun;
import io.trawl.testkit.ListedControl;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisAcceptedDomainsIT {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final CrawlRun RUN = CrawlRun.parse("docs/1");
    private final String namespace = TestRedis.namespace();
    private final RedisStore store = REDIS.store(namespace);
    private final ListedControl control = new ListedControl();
    private final AcceptedDomains domains = store.acceptedDomains(control);
    private final DomainMirror mirror = store.domainsMirror();

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void theSetInRedisIsAnsweredWithItsVersion() {
        mirror.write(set(2, "a.org", "b.org"));
        assertThat(ask(0, "a.org", "x.org")).isEqualTo(new DomainAnswer(Set.of("a.org"), 2));
        assertThat(control.refreshes()).isZero();
    }

    @Test
    void aYesOfTheViewOrOfAnEarlierAnswerNeedsNoCall() {
        mirror.write(set(2, "a.org", "b.org"));
        control.read(set(1, "a.org"));
        long before = REDIS.calls("evalsha");
        assertThat(ask(0, "a.org").accepted()).containsExactly("a.org");
        assertThat(REDIS.calls("evalsha")).isEqualTo(before);
        ask(0, "a.org", "b.org");
        long calls = REDIS.calls("evalsha");
        assertThat(ask(0, "b.org")).isEqualTo(new DomainAnswer(Set.of("b.org"), 2));
        assertThat(REDIS.calls("evalsha")).isEqualTo(calls);
    }

    @Test
    void aDomainThatWasRemovedIsRefusedAsSoonAsTheViewOrRedisSaysSo() {
        mirror.write(set(1, "a.org", "b.org"));
        control.read(set(1, "a.org", "b.org"));
        assertThat(ask(1, "a.org", "b.org", "c.org").accepted()).containsExactlyInAnyOrder("a.org", "b.org");
        control.read(set(2, "a.org"));
        control.stands(set(2, "a.org"));
        assertThat(ask(1, "a.org", "b.org")).as("redis lags").isEqualTo(new DomainAnswer(Set.of("a.org"), 2));
        mirror.write(set(3, "b.org"));
        assertThat(ask(3, "b.org")).as("the view lags").isEqualTo(new DomainAnswer(Set.of("b.org"), 3));
        assertThat(ask(3, "a.org")).isEqualTo(new DomainAnswer(Set.of(), 3));
    }

    @Test
    void aYesOfARedisThatFellBehindIsIgnored() {
        control.read(set(2, "a.org"));
        control.stands(set(2, "a.org"));
        mirror.write(set(1, "a.org", "gone.org"));
        assertThat(ask(0, "gone.org")).isEqualTo(new DomainAnswer(Set.of(), 2));
    }

    @Test
    void aNoIsCachedOnlyForItsVersion() {
        mirror.write(set(1, "a.org"));
        assertThat(ask(1, "b.org").accepted()).isEmpty();
        long calls = REDIS.calls("evalsha");
        assertThat(ask(1, "b.org")).isEqualTo(new DomainAnswer(Set.of(), 1));
        assertThat(REDIS.calls("evalsha")).isEqualTo(calls);
        mirror.write(set(2, "a.org", "b.org"));
        assertThat(ask(2, "b.org", "c.org")).isEqualTo(new DomainAnswer(Set.of("b.org"), 2));
    }

    @Test
    void theFirstDomainIsAcceptedAlthoughTheViewDoesNotKnowItYet() {
        mirror.write(set(1, "late.org"));
        assertThat(ask(1, "late.org").accepted()).containsExactly("late.org");
    }

    @Test
    void aRedisThatLagsBehindTheRequestIsIgnored() {
        mirror.write(set(1, "a.org"));
        control.stands(set(3, "a.org", "c.org"));
        assertThat(ask(3, "c.org", "x.org")).isEqualTo(new DomainAnswer(Set.of("c.org"), 3));
        assertThat(control.refreshes()).isEqualTo(1);
    }

    @Test
    void aRedisThatLagsBehindTheViewIsIgnored() {
        mirror.write(set(1, "a.org"));
        control.read(set(2, "a.org"));
        control.stands(set(4, "a.org", "d.org"));
        assertThat(ask(0, "d.org")).isEqualTo(new DomainAnswer(Set.of("d.org"), 4));
    }

    @Test
    void aRedisThatFallsBehindItsEarlierAnswersIsIgnored() {
        mirror.write(set(5, "a.org"));
        control.stands(set(6, "a.org", "f.org"));
        assertThat(ask(0, "x.org").version()).isEqualTo(5);
        lose();
        assertThat(ask(0, "f.org", "y.org")).isEqualTo(new DomainAnswer(Set.of("f.org"), 6));
    }

    @Test
    void whenRedisHasLostEverythingControlDecides() {
        mirror.write(set(1, "a.org"));
        control.stands(set(1, "a.org"));
        lose();
        assertThat(ask(0, "a.org", "b.org")).isEqualTo(new DomainAnswer(Set.of("a.org"), 1));
        assertThat(control.refreshes()).isEqualTo(1);
        assertThat(ask(1, "b.org").accepted()).isEmpty();
        assertThat(control.refreshes()).as("the no is cached").isEqualTo(1);
        mirror.write(set(1, "a.org"));
        assertThat(ask(1, "c.org")).isEqualTo(new DomainAnswer(Set.of(), 1));
        assertThat(control.refreshes()).as("redis is back").isEqualTo(1);
    }

    @Test
    void noDomainIsRefusedOnASetThatIsTooOldEvenInControl() {
        control.stands(set(2, "a.org"));
        assertThatExceptionOfType(LedgerUnavailableException.class).isThrownBy(() -> ask(3, "b.org"));
        assertThat(ask(3, "a.org").accepted()).as("a yes of an old set is true").containsExactly("a.org");
    }

    @Test
    void anUnknownRunAcceptsNothingAndNothingIsCached() {
        assertThat(ask(0, "a.org")).isEqualTo(new DomainAnswer(Set.of(), 0));
        mirror.write(set(1, "a.org"));
        assertThat(ask(0, "a.org").accepted()).containsExactly("a.org");
    }

    @Test
    void theMirrorNeverGoesBackAndReplacesTheWholeSet() {
        mirror.write(set(3, "a.org"));
        mirror.write(set(2, "old.org"));
        assertThat(ask(0, "a.org", "old.org")).isEqualTo(new DomainAnswer(Set.of("a.org"), 3));
        mirror.write(set(4, "b.org"));
        assertThat(store.acceptedDomains(control).ask(RUN, Set.of("a.org", "b.org"), 0))
                .isEqualTo(new DomainAnswer(Set.of("b.org"), 4));
    }

    @Test
    void manyDomainsFit() {
        Set<String> many = IntStream.range(0, 20_000).mapToObj(i -> "d" + i + ".org").collect(Collectors.toSet());
        mirror.write(new Domains(RUN, 1, many));
        assertThat(domains.ask(RUN, many, 1).accepted()).hasSize(20_000);
    }

    private DomainAnswer ask(long atLeast, String... names) {
        return domains.ask(RUN, Set.of(names), atLeast);
    }

    private void lose() {
        REDIS.keys(namespace + "*").forEach(key -> REDIS.command("DEL " + key));
    }

    private static Domains set(long version, String... names) {
        return new Domains(RUN, version, Set.of(names));
    }

    @Test
    void theDomainsOfSeedsAreInTheirSetAndANoNeedsTheVersionOfTheRequest() {
        ofSeeds();
        SeedDomainStore seeds = store.seedDomains();
        seeds.add(RUN, 0, new SeedDomains(3, Set.of("a.org")));
        assertThat(ask(3, "a.org", "named.org", "x.org").accepted()).containsExactlyInAnyOrder("a.org", "named.org");
        assertThatExceptionOfType(LedgerUnavailableException.class).isThrownBy(() -> ask(4, "b.org"));
        assertThat(ask(4, "a.org")).as("a yes needs no version").isEqualTo(new DomainAnswer(Set.of("a.org"), 3));
        seeds.add(RUN, 3, new SeedDomains(4, Set.of("b.org")));
        assertThat(ask(4, "b.org", "x.org")).isEqualTo(new DomainAnswer(Set.of("b.org"), 4));
        long calls = REDIS.calls("evalsha");
        assertThat(ask(4, "a.org", "b.org", "x.org").accepted()).containsExactlyInAnyOrder("a.org", "b.org");
        assertThat(REDIS.calls("evalsha")).as("remembered").isEqualTo(calls);
    }

    @Test
    void aSetThatRedisHasLostGetsNoVersionFromALateAddition() {
        ofSeeds();
        SeedDomainStore seeds = store.seedDomains();
        seeds.add(RUN, 3, new SeedDomains(4, Set.of("b.org")));
        assertThat(seeds.version(RUN)).isZero();
        assertThatExceptionOfType(LedgerUnavailableException.class).isThrownBy(() -> ask(1, "a.org"));
        Set<String> many = IntStream.range(0, 2500).mapToObj(i -> "d" + i + ".org").collect(Collectors.toSet());
        seeds.add(RUN, 0, new SeedDomains(4, many));
        assertThat(seeds.version(RUN)).isEqualTo(4);
        assertThat(ask(4, "d0.org", "d2499.org", "b.org", "a.org").accepted()).hasSize(3);
        seeds.add(RUN, 0, new SeedDomains(2, Set.of("late.org")));
        assertThat(seeds.version(RUN)).as("only grows").isEqualTo(4);
        store.ledger().forget(RUN);
        assertThat(seeds.version(RUN)).isZero();
    }

    private void ofSeeds() {
        CrawlDefinition definition = CrawlDefinition.of(List.of());
        control.read(CrawlStatus.of(RUN, 1,
                definition.withScope(definition.scope().withDomains(List.of(Scope.SEEDS, "named.org"))),
                CrawlState.STARTED));
        control.read(set(1, "named.org"));
    }
}
