package io.trawl.coordinator.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.ledger.IdSequence;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple3;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.longlong.Roaring64Bitmap;

class UnansweredTest {
    private final Unanswered unanswered = new Unanswered();

    @Test
    void anIdCountsOnceAndIsForgottenWhenItIsRemoved() {
        assertThat(unanswered.add(new RequestId(0), 2)).isTrue();
        assertThat(unanswered.add(new RequestId(0), 1)).isFalse();
        assertThat(unanswered.size()).isEqualTo(1);
        assertThat(unanswered.size(2)).isEqualTo(1);
        assertThat(unanswered.levelsEver()).isEqualTo(3);
        assertThat(unanswered.remove(new RequestId(0))).isTrue();
        assertThat(unanswered.remove(new RequestId(0))).isFalse();
        assertThat(unanswered.size()).isZero();
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
        List<RequestId> ids = ids(1_000_000);
        ids.forEach(id -> unanswered.add(id, (int) (id.value() & 3)));
        assertThat(unanswered.size()).isEqualTo(ids.size());
        Collections.shuffle(ids, new Random(7));
        ids.forEach(id -> assertThat(unanswered.remove(id)).isTrue());
        assertThat(unanswered.size()).isZero();
        assertThat(unanswered.ids()).isEmpty();
    }

    @Test
    void anIdTakesTwoBytesAtMostInOrderAndSixInAnyOrder() throws IOException {
        List<RequestId> ids = ids(4_000_000);
        ids.forEach(id -> unanswered.add(id, 0));
        assertThat(written(unanswered).length).isLessThan(2 * ids.size());
        Collections.shuffle(ids, new Random(7));
        for (int left : List.of(2_000_000, 400_000, 40_000, 4_000)) {
            ids.subList(left, ids.size()).forEach(unanswered::remove);
            assertThat(unanswered.size()).isEqualTo(left);
            assertThat(written(unanswered).length).as("%d of 4,000,000", left).isLessThan(6 * left);
        }
    }

    @Test
    void aRunMayHaveMoreThanFourThousandMillionIdsThatWait() throws IOException {
        long many = 5_000_000_000L;
        Roaring64Bitmap all = new Roaring64Bitmap();
        all.addRange(0, many);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (int level = 0; level < Request.MOST_LEVELS; level++) {
            out.writeLong(level == 1 ? many : 0);
        }
        out.writeByte(2);
        new Roaring64Bitmap().serialize(out);
        all.serialize(out);
        Unanswered read = Unanswered.readFrom(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        assertThat(read.size()).isEqualTo(many);
        assertThat(read.add(new RequestId(many), 1)).isTrue();
        assertThat(read.remove(new RequestId(7))).isTrue();
        assertThat(read.size(1)).isEqualTo(many);
        assertThat(read.added(1)).isEqualTo(many + 1);
    }

    private static List<RequestId> ids(int count) {
        IdSequence ids = new IdSequence();
        return Stream.generate(() -> new RequestId(ids.getAsLong())).limit(count)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static byte[] written(Unanswered set) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        set.writeTo(new DataOutputStream(bytes));
        return bytes.toByteArray();
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
        assertThat(set.ids()).map(RequestId::value).containsExactlyInAnyOrderElementsOf(model.keySet());
        for (int priority = 0; priority < 10; priority++) {
            int level = priority;
            assertThat(set.size(priority)).isEqualTo(model.values().stream().filter(p -> p == level).count());
        }
        model.keySet().forEach(id -> assertThat(set.contains(new RequestId(id))).isTrue());
    }

    /** Few different ids, so that they meet again. */
    @Provide
    Arbitrary<List<Tuple3<Boolean, Long, Integer>>> steps() {
        Arbitrary<Boolean> adds = Arbitraries.frequency(Tuple.of(3, true), Tuple.of(2, false));
        Arbitrary<Long> ids = Arbitraries.oneOf(Arbitraries.longs().between(-60, 60),
                Arbitraries.longs().map(l -> l & 0xF0000000000000FFL));
        return net.jqwik.api.Combinators.combine(adds, ids, Arbitraries.integers().between(0, 9)).as(Tuple::of).list()
                .ofMaxSize(600);
    }
}
