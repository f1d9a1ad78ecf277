package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.Request.RequestId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple3;
import org.junit.jupiter.api.Test;

class UnansweredTest {
    private final Unanswered unanswered = new Unanswered();

    @Test
    void anIdCountsOnceAndIsForgottenWhenItIsRemoved() {
        assertThat(unanswered.add(new RequestId(0), 2)).isTrue();
        assertThat(unanswered.add(new RequestId(0), 1)).isFalse();
        assertThat(unanswered.size()).isEqualTo(1);
        assertThat(unanswered.size(2)).isEqualTo(1);
        assertThat(unanswered.levels()).isEqualTo(3);
        assertThat(unanswered.remove(new RequestId(0))).isTrue();
        assertThat(unanswered.remove(new RequestId(0))).isFalse();
        assertThat(unanswered.size()).isZero();
        assertThat(unanswered.levels()).isZero();
    }

    @Test
    void idsInARowAreAsGoodAsRandomOnes() {
        LongStream.range(-50_000, 50_000).forEach(i -> assertThat(unanswered.add(new RequestId(i), 0)).isTrue());
        LongStream.range(-50_000, 50_000).forEach(i -> assertThat(unanswered.contains(new RequestId(i))).isTrue());
        LongStream.range(-50_000, 49_999).forEach(i -> assertThat(unanswered.remove(new RequestId(i))).isTrue());
        assertThat(unanswered.size()).isEqualTo(1);
        assertThat(unanswered.contains(new RequestId(49_999))).isTrue();
    }

    @Test
    void aMillionIdsInAndOutInAnyOrderLeaveNothing() {
        long[] ids = new Random(7).longs(1_000_000).distinct().toArray();
        for (long id : ids) {
            unanswered.add(new RequestId(id), (int) (id & 3));
        }
        assertThat(unanswered.size()).isEqualTo(ids.length);
        long[] order = ids.clone();
        java.util.Arrays.sort(order);
        for (long id : order) {
            assertThat(unanswered.remove(new RequestId(id))).isTrue();
        }
        assertThat(unanswered.size()).isZero();
    }

    @Property(tries = 300)
    void behavesLikeAMap(@ForAll("steps") List<Tuple3<Boolean, Long, Integer>> steps) {
        Unanswered set = new Unanswered();
        Map<Long, Integer> model = new HashMap<>();
        for (Tuple3<Boolean, Long, Integer> step : steps) {
            RequestId id = new RequestId(step.get2());
            if (step.get1()) {
                assertThat(set.add(id, step.get3())).isEqualTo(model.putIfAbsent(step.get2(), step.get3()) == null);
            } else {
                assertThat(set.remove(id)).isEqualTo(model.remove(step.get2()) != null);
            }
            assertThat(set.contains(id)).isEqualTo(model.containsKey(step.get2()));
        }
        assertThat(set.size()).isEqualTo(model.size());
        for (int priority = 0; priority < 10; priority++) {
            int level = priority;
            assertThat(set.size(priority)).isEqualTo(model.values().stream().filter(p -> p == level).count());
        }
        model.keySet().forEach(id -> assertThat(set.contains(new RequestId(id))).isTrue());
    }

    /** Few different ids, so that they meet again and crowd the same slots. */
    @Provide
    Arbitrary<List<Tuple3<Boolean, Long, Integer>>> steps() {
        Arbitrary<Boolean> adds = Arbitraries.frequency(Tuple.of(3, true), Tuple.of(2, false));
        Arbitrary<Long> ids = Arbitraries.oneOf(Arbitraries.longs().between(-60, 60),
                Arbitraries.longs().map(l -> l & 0xF0000000000000FFL));
        return net.jqwik.api.Combinators.combine(adds, ids, Arbitraries.integers().between(0, 9)).as(Tuple::of).list()
                .ofMaxSize(600);
    }
}
