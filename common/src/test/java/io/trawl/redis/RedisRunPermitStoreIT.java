package io.trawl.redis;

import static io.trawl.ledger.RunPermitStore.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.ledger.RunPermitStore;
import io.trawl.ledger.RunPermitStore.PermittedPage;
import io.trawl.ledger.RunPermitStore.Room;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request.RequestId;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisRunPermitStoreIT {
    private static final CrawlRun RUN = CrawlRun.parse("docs/2");
    private final String namespace = TestRedis.namespace();
    private final RedisStore store = TestRedis.shared().store(namespace);
    private final RunPermitStore permits = store.runPermits();

    @AfterEach
    void close() {
        store.close();
    }

    private static List<RequestId> ids(long... ids) {
        return LongStream.of(ids).mapToObj(RequestId::new).toList();
    }

    @Test
    void noMoreRequestsHavePermitsThanTheRunHasPagesLeft() {
        assertThat(permits.take(RUN, ids(1))).as("before the leader has said what is left").isZero();
        permits.settle(RUN, new Room(3, UNLIMITED), List.of());
        assertThat(permits.take(RUN, ids(1, 2))).isEqualTo(2);
        try (RedisStore other = TestRedis.shared().store(namespace)) {
            assertThat(other.runPermits().take(RUN, ids(3, 4, 5))).isEqualTo(1);
            assertThat(other.runPermits().take(RUN, ids(1, 2, 3))).as("the next owner finds them").isEqualTo(3);
        }
        assertThat(permits.take(CrawlRun.parse("docs/3"), ids(9))).isZero();
        assertThat(permits.holders(RUN)).containsExactlyInAnyOrderElementsOf(ids(1, 2, 3));
        permits.giveBack(RUN, ids(2));
        permits.giveBack(RUN, ids(2));
        assertThat(permits.take(RUN, ids(4, 5))).isEqualTo(1);
        permits.settle(RUN, new Room(2, UNLIMITED), ids(1));
        assertThat(permits.take(RUN, ids(6))).as("one page is counted, and two permits are out").isZero();
        permits.settle(RUN, new Room(2, UNLIMITED), ids(3, 4));
        assertThat(permits.take(RUN, ids(6, 7, 8))).as("two others brought no page").isEqualTo(2);
    }

    @Test
    void bytesCountFromTheAnswerUntilTheLedgerCountsThem() {
        permits.settle(RUN, new Room(UNLIMITED, 100), List.of());
        assertThat(permits.take(RUN, ids(1, 2, 3))).as("in flight, with sizes that are not known yet").isEqualTo(3);
        permits.spend(RUN, Map.of(new RequestId(1), new PermittedPage(60, false)));
        permits.spend(RUN, Map.of(new RequestId(1), new PermittedPage(60, true)));
        assertThat(permits.take(RUN, ids(4))).isEqualTo(1);
        permits.spend(RUN, Map.of(new RequestId(2), new PermittedPage(40, true)));
        permits.spend(RUN, Map.of(new RequestId(99), new PermittedPage(1000, true)));
        assertThat(permits.take(RUN, ids(5))).isZero();
        permits.settle(RUN, new Room(UNLIMITED, 40), ids(1));
        assertThat(permits.take(RUN, ids(5))).isZero();
        permits.settle(RUN, new Room(UNLIMITED, 1000), List.of());
        assertThat(permits.take(RUN, ids(5))).isEqualTo(1);
    }

    @Test
    void aPermitWhoseProcessHasDiedEndsUnlessItsPageIsInKafka() {
        RunPermitStore impatient = store.runPermits(0);
        impatient.settle(RUN, new Room(2, UNLIMITED), List.of());
        assertThat(impatient.take(RUN, ids(1, 2, 3))).isEqualTo(2);
        impatient.spend(RUN, Map.of(new RequestId(2), new PermittedPage(10, false)));
        impatient.spend(RUN, Map.of(new RequestId(1), new PermittedPage(10, true)));
        Awaitility.await().untilAsserted(() -> {
            impatient.settle(RUN, new Room(2, UNLIMITED), List.of());
            assertThat(impatient.holders(RUN)).containsExactlyElementsOf(ids(1));
        });
        assertThat(impatient.take(RUN, ids(3, 4))).isOne();
    }

    @Test
    void theyAreForgottenWithTheRun() {
        permits.settle(RUN, new Room(3, UNLIMITED), List.of());
        assertThat(permits.take(RUN, ids(1))).isOne();
        store.ledger().forget(RUN);
        assertThat(permits.holders(RUN)).isEmpty();
        assertThat(permits.take(RUN, ids(1))).isZero();
    }
}
