package io.trawl.downloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.model.FailureReason;
import io.trawl.model.Outcome;
import io.trawl.model.Response;
import io.trawl.testkit.FakeHost;
import io.trawl.testkit.FakeNameServer;
import io.trawl.testkit.FakeNameServer.NameReply;
import io.trawl.testkit.FakeWeb;
import io.trawl.worker.Worker;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A downloader with a name server that does not answer for a tenth of the names, and then for none. */
class NamesIT {
    private static final int LIVE = 45;
    private static final int DEAD = 5;

    @Test
    void namesThatNobodyAnswersForTakeNoSlotAndWhileNoServerAnswersNoRequestFails() throws Exception {
        try (FakeWeb web = FakeWeb.start(1);
                FakeNameServer names = new FakeNameServer(name -> name.startsWith("dead")
                        ? new NameReply.Ignored()
                        : FakeNameServer.address(60, web.host(0).address()));
                Fleet fleet = new Fleet(Map.of("trawl.downloader.name-servers", names.setting(),
                        "trawl.downloader.concurrency", "1", "trawl.downloader.retries-failure", "0"))) {
            FakeHost host = web.host(0).page("/", "page");
            names.silent(true);
            fleet.submit(1, url("first", host));
            fleet.flush();
            Worker worker = fleet.start();
            await().until(() -> Integer.valueOf(1).equals(worker.summary().extra().get("hostsResolving")));
            // After two tries without an answer it is clear that no server answers.
            await().until(() -> names.probes() > 2);
            for (int i = 0; i < DEAD; i++) {
                fleet.submit(2, url("dead" + i, host));
            }
            for (int i = 0; i < LIVE; i++) {
                fleet.submit(1, url("live" + i, host));
            }
            fleet.flush();
            await().until(
                    () -> Integer.valueOf(1 + DEAD + LIVE).equals(worker.summary().extra().get("hostsResolving")));
            assertThat(fleet.responses()).as("no name server answers").isEmpty();
            assertThat(worker.summary().extra()).containsEntry("slots", Map.of("total", 1, "used", 0));

            names.silent(false);
            await().until(() -> fleet.responses().size() == 1 + LIVE + DEAD);
            List<Response> responses = fleet.responses();
            assertThat(responses).filteredOn(response -> response.outcome() instanceof Outcome.Success)
                    .hasSize(1 + LIVE);
            assertThat(responses).filteredOn(response -> response.outcome() instanceof Outcome.Failure).hasSize(DEAD)
                    .allSatisfy(response -> assertThat(response.outcome()).isInstanceOfSatisfying(Outcome.Failure.class,
                            failure -> {
                                assertThat(failure.reason()).isEqualTo(FailureReason.DNS);
                                assertThat(failure.cause()).startsWith("the name of dead")
                                        .contains("no name server has answered for it");
                            }));
        }
    }

    private static String url(String label, FakeHost host) {
        return "http://" + label + ".test:" + host.port() + "/";
    }
}
