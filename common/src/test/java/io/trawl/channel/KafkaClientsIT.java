package io.trawl.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trawl.testkit.KafkaFixture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

class KafkaClientsIT {
    private final KafkaFixture fixture = new KafkaFixture();

    @Test
    void aSharedClientIsOneForAllAndStaysOpenWhenAUserClosesIt() throws ExecutionException, InterruptedException {
        KafkaClients clients = new KafkaClients(fixture.settings()).sharingAdmin();
        Admin admin = clients.admin();
        admin.close();
        assertThat(clients.counting(PartitionCounts.unknown(fixture.topics())).admin()).isSameAs(admin);
        assertThat(admin.describeCluster().clusterId().get()).isNotEmpty();
        clients.close();
        assertThatThrownBy(() -> admin.describeCluster().clusterId().get()).isNotNull();
    }
}
