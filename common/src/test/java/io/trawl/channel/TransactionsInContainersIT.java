package io.trawl.channel;

import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.TestServers;
import java.util.Map;

/**
 * What a writer promises on an embedded broker holds on the one in the container, too, if an engine answers here. At
 * night, all tests run on it.
 */
class TransactionsInContainersIT extends TransactionalWriterIT {
    @Override
    KafkaFixture fixture() {
        return new KafkaFixture(TestServers.inContainers(), Map.of());
    }
}
