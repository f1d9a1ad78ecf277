package io.trawl.channel;

import static io.trawl.testkit.KafkaFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.StopSign;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.testkit.KafkaFixture;
import io.trawl.testkit.TestTimeouts;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ControlTopicIT {
    private static final CrawlRun RUN = CrawlRun.parse("docs/2");
    private final KafkaFixture fixture = new KafkaFixture();
    private TransactionalWriter leader;
    private ControlTopic control;

    @BeforeEach
    void open() {
        fixture.create(fixture.topics().control(), 1, Map.of("cleanup.policy", "compact"));
        leader = new TransactionalWriter(
                () -> fixture.kafka().transactionalProducer(fixture.topics().coordinatorTransactions()), Time.system());
        leader.open();
        control = new ControlTopic(fixture.kafka().reader("test"), fixture.kafka().admin(),
                KafkaIdentity.SameKafka.NONE, fixture.topics(), Time.system());
    }

    @AfterEach
    void close() {
        control.close();
        leader.close();
    }

    private void write(ControlRecord... records) throws InterruptedException {
        leader.write(List.of(records).stream()
                .map(r -> new ProducerRecord<>(fixture.topics().control(), bytes(r.key()), Codec.encode(r))).toList());
        control.refresh();
    }

    private static CrawlStatus status(long version, CrawlState state) {
        CrawlDefinition definition = Json.read(bytes("{\"limits\":{\"depth\":2},\"fetch\":{\"delay\":\"250ms\"}}"),
                CrawlDefinition.class);
        return CrawlStatus.of(RUN, version, definition, state).withStartedAt(Optional.of(Instant.EPOCH));
    }

    @Test
    void afterARefreshAllCommittedRecordsAreVisible() throws InterruptedException {
        control.refresh();
        assertThat(control.crawl(RUN.crawl())).isEmpty();
        for (int i = 1; i <= 50; i++) {
            write(new Domains(RUN, i, Set.of("d" + i + ".example")));
            assertThat(control.domains(RUN).version()).isEqualTo(i);
        }
    }

    @Test
    void aRefreshThatMayNotTakeForEverEndsWhenKafkaDoesNotAnswer() throws InterruptedException {
        write(status(1, CrawlState.STARTED));
        assertThat(control.refresh(TestTimeouts.LIMIT)).isTrue();
        Admin nobody = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1"));
        try (ControlTopic unanswered = new ControlTopic(fixture.kafka().reader("test"), nobody,
                KafkaIdentity.SameKafka.NONE, fixture.topics(), Time.system())) {
            assertThat(unanswered.refresh(Duration.ofMillis(200))).isFalse();
        }
    }

    @Test
    void aVersionThatDoesNotGrowIsIgnored() throws InterruptedException {
        write(status(5, CrawlState.STARTED));
        write(status(4, CrawlState.STOPPED));
        write(status(5, CrawlState.STOPPING));

        assertThat(control.crawl(RUN.crawl())).contains(status(5, CrawlState.STARTED));
    }

    @Test
    void aListenerReceivesEarlierAndLaterRecords() throws InterruptedException {
        List<ControlRecord> heard = Collections.synchronizedList(new ArrayList<>());
        write(status(1, CrawlState.INITIALIZED));
        control.listen(heard::add);
        write(status(2, CrawlState.STARTED), status(1, CrawlState.STOPPED));

        assertThat(heard).containsExactly(status(1, CrawlState.INITIALIZED), status(2, CrawlState.STARTED));
    }

    @Test
    void aCrawlFetchesWhileItIsStartedAndNoStopSignIsInForce() throws InterruptedException {
        Optional<CrawlId> crawl = Optional.of(RUN.crawl());
        write(status(1, CrawlState.STARTED));
        assertThat(control.fetches(RUN)).isTrue();
        assertThat(control.fetches(CrawlRun.parse("docs/1"))).isFalse();
        assertThat(control.status(CrawlRun.parse("docs/1"))).isEqualTo(RunStatus.OVER);
        assertThat(control.status(CrawlRun.parse("docs/3"))).isEqualTo(RunStatus.UNKNOWN);

        write(new StopSign(crawl, 1, true, Instant.EPOCH));
        assertThat(control.fetches(RUN)).isFalse();
        write(new StopSign(crawl, 2, false, Instant.EPOCH), new StopSign(Optional.empty(), 1, true, Instant.EPOCH));
        assertThat(control.fetches(RUN)).as("the fleet's stop sign applies to every crawl").isFalse();
        write(new StopSign(Optional.empty(), 2, false, Instant.EPOCH));
        assertThat(control.fetches(RUN)).isTrue();
    }
}
