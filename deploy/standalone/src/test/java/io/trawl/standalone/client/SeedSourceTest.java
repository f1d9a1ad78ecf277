package io.trawl.standalone.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.coordinator.leader.SeedCall.SubmittedSeeds;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SeedSourceTest {
    @Test
    void whatBecameNoRequestIsToldInWords() {
        assertThat(SeedSource.refusals(new SubmittedSeeds(9, Map.of("SEEN", 2L, "DOMAIN", 1L), 3, 1))).isEqualTo(
                "1 refused: DOMAIN 1; 2 known before; 3 known and due for the next refresh; 1 not admitted yet");
        assertThat(SeedSource.refusals(new SubmittedSeeds(9, Map.of(), 0, 0))).isEmpty();
    }
}
