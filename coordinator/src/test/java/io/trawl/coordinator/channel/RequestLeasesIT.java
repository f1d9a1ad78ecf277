package io.trawl.coordinator.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.channel.HostPartitioner;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.model.HostKey;
import io.trawl.model.PolitenessKey;
import io.trawl.politeness.InheritedPauses;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.politeness.PartitionLeaseStore.LeaseClaim;
import io.trawl.politeness.PartitionLeaseStore.LeasedPartition;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.TestServers;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestLeasesIT {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration PAUSE = Duration.ofHours(1);
    private static final int GENERATION = Channels.FIRST_GENERATION;
    private final RedisStore redis = RedisStore.connect(RedisServers.at(TestServers.shared().redisUrl()),
            new KafkaFixture().topics().namespace(), "any", "any", Time.system());
    private final PartitionLeaseStore leases = redis.leases();
    private final RequestLeases requestLeases = new RequestLeases(leases, Time.system());
    private final List<HostKey> hosts = IntStream.range(0, 20).mapToObj(n -> new HostKey("h" + n + ":80")).toList();

    @AfterEach
    void close() {
        redis.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 8, 11})
    void aPauseGoesToThePartitionThatItsHostHasAmongTheNewOnes(int partitions) throws InterruptedException {
        Channels old = channels(GENERATION, 8, PolitenessKey.HOST);
        Channels next = channels(GENERATION + 1, partitions, PolitenessKey.HOST);
        pause(old);
        requestLeases.hand(old, next);
        requestLeases.hand(old, next);
        for (int k = 0; k < partitions; k++) {
            int partition = k;
            InheritedPauses inherited = take(next, k);
            assertThat(inherited.sinceBreak()).isEmpty();
            assertThat(inherited.pauses()).containsOnlyKeys(
                    hosts.stream().filter(host -> partition(host, next) == partition).toArray(HostKey[]::new));
            assertThat(inherited.pauses().values())
                    .allSatisfy(left -> assertThat(left).isBetween(PAUSE.minusMinutes(10), PAUSE.plusSeconds(1)));
        }
        assertThat(leases.take(LeaseClaim.on(new LeasedPartition(GENERATION, 0)), LEASE))
                .as("a downloader that has slept does not get the old one").isEmpty();
    }

    @ParameterizedTest
    @EnumSource(PolitenessKey.class)
    void anOwnerThatDiedIsABreakForAllPartitionsAndAPauseOfAnAddressIsAnywhere(PolitenessKey politeness)
            throws InterruptedException {
        Channels old = channels(GENERATION, 2, politeness);
        Channels next = channels(GENERATION + 1, 4, politeness);
        leases.take(LeaseClaim.on(new LeasedPartition(GENERATION, 1)), Duration.ofMillis(50));
        leases.note(new LeasedPartition(GENERATION, 0), Map.of(hosts.getFirst(), PAUSE));
        requestLeases.hand(old, next);
        for (int k = 0; k < next.partitions(); k++) {
            InheritedPauses inherited = take(next, k);
            assertThat(inherited.sinceBreak()).isPresent();
            assertThat(inherited.pauses().containsKey(hosts.getFirst()))
                    .isEqualTo(politeness == PolitenessKey.IP || partition(hosts.getFirst(), next) == k);
        }
    }

    private void pause(Channels at) {
        hosts.forEach(
                host -> leases.note(new LeasedPartition(at.generation(), partition(host, at)), Map.of(host, PAUSE)));
    }

    private InheritedPauses take(Channels at, int partition) {
        return leases.take(LeaseClaim.on(new LeasedPartition(at.generation(), partition)), LEASE).orElseThrow();
    }

    private static int partition(HostKey host, Channels at) {
        return HostPartitioner.of(host.value().getBytes(StandardCharsets.UTF_8), at);
    }

    private static Channels channels(int generation, int partitions, PolitenessKey politeness) {
        return ChannelsBuilder.builder().version(1).generation(generation).levels(3).partitions(partitions)
                .politeness(politeness).responses(1).items(1).ledger(1).build();
    }
}
