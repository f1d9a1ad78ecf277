package io.trawl.coordinator.channel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class TopicMakerTest {
    /**
     * A coordinator retries after every exception of Kafka. With another one it ended when it started while the
     * controller had fenced the broker.
     */
    @Test
    void aClusterWithoutAReadyBrokerIsATemporaryError() {
        assertThatThrownBy(() -> BrokerConfigs.anyBroker(List.of())).isInstanceOf(KafkaException.class)
                .hasMessage("no broker is ready");
    }
}
