package io.trawl.coordinator.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.HostKeyFactory;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.model.PolitenessKey;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.definition.DefinitionChanges;
import io.trawl.coordinator.definition.DefinitionChanges.WaitingRefusals;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.summary.LedgerFollower;
import io.trawl.coordinator.summary.Tally;
import io.trawl.coordinator.summary.TallyFixture;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.LedgerRecord.EmittedRequest;
import io.trawl.ledger.LedgerUnavailableException;
import io.trawl.ledger.MapLedger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.FetchOptions;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.testkit.ListedControl;
import io.trawl.testkit.ManualTime;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/** What a changed scope would refuse of what waits, as the frontier would. */
class WaitingRequestCheckTest {
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 2);
    private static final CrawlRun OTHER = new CrawlRun(new CrawlId("other"), 1);
    private final ManualTime time = ManualTime.standing();
    private final MapLedger ledger = new MapLedger();
    private final LedgerFollower follower = TallyFixture.unread(Time.system());
    private final Tally tally = follower.tally();
    /** The records of the request topics. */
    private final List<Request> log = new ArrayList<>();
    private int emitted;

    private static CrawlDefinition definition(String scope) {
        return Json.read(("{\"scope\":" + scope.replace('\'', '"') + "}").getBytes(StandardCharsets.UTF_8),
                CrawlDefinition.class);
    }

    private Request logged(CrawlRun run, String path, int depth) {
        String url = "http://a.org" + path;
        Request request = RequestBuilder.builder().id(new RequestId(++emitted)).run(run).url(url)
                .host(HostKeyFactory.of(url)).depth(depth).priority(1).seed(depth == 0).domains(1).build();
        log.add(request);
        return request;
    }

    private Request waits(String path, int depth) {
        Request request = logged(RUN, path, depth);
        byte[] record = Codec.encode(new LedgerRecord(RUN, List.of(new EmittedRequest(request.id(), 1, depth)),
                List.of(), Map.of(), List.of(), 0));
        follower.add(new ConsumerRecord<>("t.ledger", 0, emitted, new byte[0], record));
        return request;
    }

    private void knows(Request request, UrlFacts facts) {
        ledger.learn(RUN, List.of(new Fact(Fingerprint.of(request.identity()), facts)));
    }

    private DefinitionChanges judged(String scope, Duration each) throws InterruptedException {
        CrawlStatus crawl = CrawlStatus.of(RUN, 1, definition("{}"), CrawlState.STARTED);
        ControlState control = new ControlState(
                new ListedControl().read(ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(4)
                        .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build()));
        DefinitionChanges changes = DefinitionChanges.of(RUN.crawl(), Optional.of(crawl.definition()),
                definition(scope));
        return new WaitingRequestCheck((channels, enough) -> {
            for (Request request : log) {
                time.advance(each);
                if (enough.test(request)) {
                    return;
                }
            }
        }, control, tally, ledger, time).judged(changes, crawl, definition(scope));
    }

    @Test
    void eachRequestThatWaitsIsCountedOnceUnderTheRuleThatWouldRefuseIt() throws Exception {
        waits("/b/1", 1);
        log.add(waits("/b/2", 1));
        waits("/b/2", 2);
        waits("/c", 3);
        waits("/d", 1);
        waits("/b/seed", 0);
        assertThat(judged("{'exclude':['/b/**'],'maxDepth':[{'match':'/c','depth':2}]}", Duration.ZERO).waiting())
                .as("a copy is the same request, and another one of the same URL would be a duplicate").contains(
                        new WaitingRefusals(6, 6, 4, Map.of("scope.exclude: /b/**", 3L, "scope.maxDepth: /c (2)", 1L)));
        assertThat(judged("{'include':['/b/1']}", Duration.ZERO).waiting()).as("a seed needs no include")
                .contains(new WaitingRefusals(6, 6, 3, Map.of("scope.include", 3L)));
    }

    @Test
    void whatIsAnsweredOrOfAnotherRunOrNearerThanItSaysIsNotRefused() throws Exception {
        logged(RUN, "/b/answered", 1);
        logged(OTHER, "/b/other", 1);
        knows(waits("/b/duplicate", 1), UrlFacts.responded(1, 7));
        knows(waits("/c", 3), UrlFacts.requested(2));
        assertThat(judged("{'exclude':['/b/**'],'maxDepth':[{'match':'/c','depth':2}]}", Duration.ZERO).waiting())
                .contains(new WaitingRefusals(2, 2, 0, Map.of()));
    }

    @Test
    void theReadingEndsAfterSomeSecondsAndSaysHowManyItHasLookedAt() throws Exception {
        IntStream.range(0, 100).forEach(i -> waits("/b/" + i, 1));
        assertThat(judged("{'exclude':['/b/**']}", Duration.ofMillis(100)).waiting())
                .contains(new WaitingRefusals(100, 30, 30, Map.of("scope.exclude: /b/**", 30L)));
    }

    @Test
    void withoutTheLedgerTheChangesAreShownAndWhatIsMissingIsSaid() throws Exception {
        log.add(waits("/b/1", 1));
        CrawlStatus crawl = CrawlStatus.of(RUN, 1, definition("{}"), CrawlState.STARTED);
        CrawlDefinition wanted = definition("{'exclude':['/b/**']}");
        DefinitionChanges changes = new WaitingRequestCheck((channels, enough) -> {
            throw new LedgerUnavailableException("Redis is away", new IllegalStateException());
        }, new ControlState(new ListedControl().read(ChannelsBuilder.builder().version(1).generation(1).levels(3)
                .partitions(4).politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build())), tally, ledger,
                time).judged(DefinitionChanges.of(RUN.crawl(), Optional.of(crawl.definition()), wanted), crawl, wanted);
        assertThat(changes.waiting()).isEmpty();
        assertThat(changes.changes()).hasSize(1);
        assertThat(changes.notes()).anyMatch(note -> note.contains("cannot be read now (Redis is away)"));
    }
}
