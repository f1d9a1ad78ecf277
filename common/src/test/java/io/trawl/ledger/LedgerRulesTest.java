package io.trawl.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class LedgerRulesTest {
    @Provide
    Arbitrary<UrlFacts> facts() {
        Arbitrary<UrlFacts> requests = Arbitraries.integers().between(0, 10).map(UrlFacts::requested);
        Arbitrary<UrlFacts> responses = Combinators
                .combine(Arbitraries.integers().between(0, 10), Arbitraries.longs().between(0, 50))
                .as(UrlFacts::responded);
        return Arbitraries.oneOf(requests, responses, Arbitraries.just(UrlFacts.NOTHING)).list().ofMaxSize(4)
                .map(list -> list.stream().reduce(UrlFacts.NOTHING, UrlFacts::and));
    }

    @Property
    void theOrderOfFactsDoesNotMatter(@ForAll("facts") UrlFacts a, @ForAll("facts") UrlFacts b,
            @ForAll("facts") UrlFacts c) {
        assertThat(a.and(b).and(c)).isEqualTo(c.and(a).and(b)).isEqualTo(b.and(c.and(a)));
        assertThat(a.and(a)).isEqualTo(a);
        assertThat(a.and(UrlFacts.NOTHING)).isEqualTo(a);
    }

    @Property
    void missingFactsNeverLoseAPage(@ForAll("facts") UrlFacts known, @ForAll("facts") UrlFacts more) {
        UrlFacts all = known.and(more);
        for (int depth = 0; depth <= 10; depth++) {
            assertThat(LedgerRules.nearer(all, depth) && !LedgerRules.nearer(known, depth)).isFalse();
            assertThat(LedgerRules.duplicate(known, depth) && !LedgerRules.duplicate(all, depth)).isFalse();
        }
    }

    @Test
    void aRetryFindsItsOwnOffsetAndDecidesAsBefore() {
        UrlFacts own = UrlFacts.responded(2, 40);

        assertThat(LedgerRules.stores(UrlFacts.NOTHING, 40)).isTrue();
        assertThat(LedgerRules.stores(own, 40)).isTrue();
        assertThat(LedgerRules.follows(own, 2, 40)).isTrue();
    }

    @Test
    void aLaterResponseIsNotStoredAndFollowedOnlyAtASmallerDepth() {
        UrlFacts first = UrlFacts.responded(2, 40);

        assertThat(LedgerRules.stores(first, 41)).isFalse();
        assertThat(LedgerRules.follows(first, 2, 41)).isFalse();
        assertThat(LedgerRules.follows(first, 1, 41)).isTrue();
    }

    @Test
    void aRequestIsADuplicateOnlyOfAResponseNeverOfAnotherRequest() {
        assertThat(LedgerRules.duplicate(UrlFacts.requested(0), 3)).isFalse();
        assertThat(LedgerRules.duplicate(UrlFacts.responded(2, 7), 2)).isTrue();
        assertThat(LedgerRules.duplicate(UrlFacts.responded(2, 7), 1)).isFalse();
        assertThat(LedgerRules.nearer(UrlFacts.requested(2), 2)).isFalse();
        assertThat(LedgerRules.nearer(UrlFacts.requested(2), 1)).isTrue();
    }

    @Test
    void depthsCountUpToALimitOfTen() {
        assertThat(DepthMode.forLimit(10)).isEqualTo(DepthMode.EXACT);
        assertThat(DepthMode.forLimit(11)).isEqualTo(DepthMode.DISCOVERY);
        assertThat(DepthMode.DISCOVERY.inLedger(7)).isZero();
        assertThat(DepthMode.EXACT.inLedger(7)).isEqualTo(7);
    }

    @Test
    void inARefreshAKnownPageIsRequestedAtNoDepth() {
        DepthMode refresh = DepthMode.EXACT.refreshed();
        assertThat(refresh.inLedger(7)).as("it is compared for the next one").isEqualTo(7);
        assertThat(refresh.emits(UrlFacts.NOTHING, 7)).isTrue();
        for (UrlFacts known : List.of(UrlFacts.requested(7), UrlFacts.responded(7, 4711))) {
            assertThat(refresh.emits(known, 1)).isFalse();
            assertThat(DepthMode.EXACT.emits(known, 1)).isTrue();
        }
        assertThat(DepthMode.DISCOVERY.refreshed()).isEqualTo(DepthMode.DISCOVERY);
    }

    @Test
    void aFingerprintIsAFunctionOfTheUrlAlone() {
        assertThat(Fingerprint.of("https://example.org/")).isEqualTo(Fingerprint.of("https://example.org/"))
                .isNotEqualTo(Fingerprint.of("https://example.org/?"));
    }
}
