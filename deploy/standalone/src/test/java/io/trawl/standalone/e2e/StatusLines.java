package io.trawl.standalone.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.coordinator.summary.FleetSummary;
import io.trawl.coordinator.summary.StopSignSummary;
import io.trawl.coordinator.text.FleetText;
import io.trawl.coordinator.text.Screen;
import io.trawl.standalone.client.Api;
import java.util.List;
import java.util.Optional;

/** What {@code ./trawl status} prints. */
final class StatusLines {
    private StatusLines() {}

    /** Waits until a line ends with such a text. */
    static void say(Api api, String text) {
        await().alias(text).untilAsserted(() -> assertThat(lines(api)).anyMatch(line -> line.matches(".*" + text)));
    }

    private static List<String> lines(Api api) throws InterruptedException {
        return FleetText.atAGlance(api.get("/api/v1/summary").as(FleetSummary.class),
                Optional.of(api.getAll("/api/v1/stop-signs").list(StopSignSummary.class)), Screen.FILE);
    }
}
