package io.trawl.coordinator.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.model.CrawlRun;
import io.trawl.model.PolitenessKey;
import io.trawl.control.StopSign;
import io.trawl.control.StopSign.SignScope;
import io.trawl.coordinator.probe.DelayReasons.Delay;
import io.trawl.coordinator.probe.Explanation.Why;
import io.trawl.coordinator.call.ModuleReply;
import io.trawl.direct.FrontierView;
import io.trawl.direct.FrontierView.HostView;
import io.trawl.direct.FrontierView.Robots;
import io.trawl.direct.FrontierView.Silence;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.module.StageState;
import io.trawl.module.StageState.HoldReason;
import io.trawl.module.StageState.HoldingFor;
import io.trawl.module.StageState.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DelayReasonsTest {
    private static final HostKey HOST = new HostKey("a:80");

    private static FrontierView view(StageState state, boolean holding, boolean withoutPermit) {
        return view(state, holding,
                new HostView(HOST, HOST, Map.of(), Map.of(), 0, 0, Optional.empty(), 1, List.of(), Optional.empty(),
                        Optional.empty(), Duration.ZERO, Optional.empty(), Robots.KNOWN, Optional.empty(),
                        Optional.empty(), false, false, false, withoutPermit));
    }

    private static FrontierView silent(int failures, Duration until, Optional<Duration> inFlightFor) {
        return view(Phase.RUNNING, false,
                new HostView(HOST, HOST, Map.of(), Map.of(), 0, inFlightFor.isPresent() ? 1 : 0, inFlightFor, 1,
                        List.of(), Optional.empty(), Optional.empty(), Duration.ofSeconds(30), Optional.empty(),
                        Robots.KNOWN, Optional.empty(),
                        Optional.of(new Silence(failures, false, until, Duration.ofMinutes(1), "no answer within 30s")),
                        false, false, false, false));
    }

    @Test
    void aCrawlThatHasEndedIsCalledAsEverywhere() {
        CrawlStatus status = CrawlStatus
                .of(CrawlRun.parse("docs/1"), 1, CrawlDefinition.of(List.of()), CrawlState.STOPPED)
                .withEnd(Optional.of(new End(EndReason.PAGE_LIMIT, Instant.EPOCH)));
        assertThat(DelayReasons.ofCrawl(status, Optional.empty()).map(Delay::text)).contains(
                "The crawl docs is at its limit since 1970-01-01T00:00:00Z: its requests wait in Kafka until it is started.");
    }

    @Test
    void aHostWhoseNameIsLookedUpSaysSo() {
        HostView host = asked(Robots.NOT_ASKED, Optional.empty(), true);
        assertThat(DelayReasons.ofHost(view(Phase.RUNNING, false, host))).hasValueSatisfying(delay -> {
            assertThat(delay.why()).isEqualTo(Why.NAME);
            assertThat(delay.text())
                    .startsWith("The name of a:80 is being looked up: its requests wait for an address");
        });
    }

    private static HostView asked(Robots robots, Optional<String> trouble, boolean resolving) {
        return new HostView(HOST, HOST, Map.of(), Map.of(), 0, 0, Optional.empty(), 1, List.of(), Optional.empty(),
                Optional.empty(), Duration.ZERO, Optional.empty(), robots, trouble, Optional.empty(), false, false,
                resolving, false);
    }

    @Test
    void whyAHostHasNoRobotsTxtIsSaidAndARefusedAddressIsNotCalledUnreachable() {
        HostView silent = asked(Robots.UNREACHABLE, Optional.of("no connection to a:80"), false);
        assertThat(DelayReasons.ofHost(view(Phase.RUNNING, false, silent)).map(Delay::text))
                .hasValueSatisfying(text -> assertThat(text).startsWith(
                        "The robots.txt of a:80 is unreachable (no connection to a:80), so all its URLs are disallowed"));
        assertThat(told(silent))
                .contains("Its robots.txt is unreachable (no connection to a:80), so all its URLs are disallowed now.");
        HostView refused = asked(Robots.REFUSED, Optional.of("a is 10.0.0.1, a private address; TRAWL_ALLOW_NETWORK"
                + " (of crawl and up: --allow-network) does not allow it"), false);
        assertThat(DelayReasons.ofHost(view(Phase.RUNNING, false, refused))).isEmpty();
        assertThat(told(refused)).contains("Its address is refused, and so is each of its requests (a is 10.0.0.1,"
                + " a private address; TRAWL_ALLOW_NETWORK (of crawl and up: --allow-network) does not allow it).");
    }

    private static List<String> told(HostView host) {
        ExplanationBuilder explanation = Explanation.begin();
        HostExplanation.explain(explanation, view(Phase.RUNNING, false, host));
        return explanation.build().story();
    }

    private static FrontierView view(StageState state, boolean holding, HostView host) {
        return new FrontierView(MID.parse("D1|127.0.0.1:80"), Instant.EPOCH, state, 0, true, holding, 64, 0, host,
                Optional.empty());
    }

    private static Optional<Delay> ofDownloader(StageState state, boolean holding) {
        return DelayReasons.ofDownloader(HOST,
                new ModuleReply.AnswerOf<>(view(state, holding, false).mid(), view(state, holding, false)));
    }

    @Test
    void theSignOfAHostIsNamedWithItsTimeInMilliseconds() {
        StopSign sign = new StopSign(SignScope.ofHost("a"), 1, true, Instant.parse("2026-01-02T03:04:05.678912345Z"));
        assertThat(DelayReasons.ofHostSign(HOST, List.of(sign)).map(Delay::text)).contains(
                "A stop sign for the host a is set since 2026-01-02T03:04:05.678Z: its requests wait until it is reset.");
    }

    @Test
    void whileTheRequestTopicsAreReplacedThatIsTheReasonUntilADownloaderHasReadTheRequest() {
        Channels begun = ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(8)
                .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build()
                .replacedBy(2, 3, 32, Instant.EPOCH, List.of());
        assertThat(DelayReasons.ofReplacement(Optional.of(begun)).map(Delay::text))
                .contains("The request topics of generation 1 "
                        + "are being replaced by those of generation 2: nothing is fetched until the new ones are served, which takes seconds.");
        assertThat(DelayReasons.ofReplacement(Optional.of(begun.open(Instant.EPOCH))).map(Delay::text)).contains(
                "The request topics of generation 1 are being replaced by those of generation 2: it is forwarded with "
                        + "what waits in the old ones.");
        assertThat(DelayReasons.ofReplacement(Optional.of(begun.open(Instant.EPOCH).replacementDone(0, Instant.EPOCH))))
                .isEmpty();
    }

    @Test
    void aHostThatDoesNotAnswerIsTheReasonAlsoWhileItIsTriedAgain() {
        assertThat(DelayReasons.ofHost(silent(2, Duration.ofMinutes(4), Optional.empty())).map(Delay::text)).contains(
                "a:80 has not answered 2 times in a row (the last: no answer within 30s). The next attempt is in 4 min.");
        assertThat(DelayReasons.ofHost(silent(2, Duration.ZERO, Optional.of(Duration.ofSeconds(12)))).map(Delay::text))
                .contains(
                        "a:80 has not answered 2 times in a row (the last: no answer within 30s). The next attempt has been in flight for "
                                + "12 s: the other requests wait for it.");
        assertThat(DelayReasons.ofHost(silent(1, Duration.ZERO, Optional.of(Duration.ofSeconds(12)))).map(Delay::why))
                .contains(Why.HOST_CLOSED);
    }

    @Test
    void aRunWithoutPermitsIsAReasonOfItsOwn() {
        assertThat(DelayReasons.ofHost(view(Phase.RUNNING, false, false))).isEmpty();
        assertThat(DelayReasons.ofHost(view(Phase.RUNNING, false, true))).map(Delay::why).contains(Why.PERMIT);
    }

    @Test
    void aHoldIsNamedWithItsReason() {
        assertThat(ofDownloader(Phase.RUNNING, false)).isEmpty();
        assertThat(ofDownloader(new HoldingFor(HoldReason.ANALYZERS), true)).hasValueSatisfying(delay -> {
            assertThat(delay.why()).isEqualTo(Why.BACK_PRESSURE);
            assertThat(delay.text()).contains("responses wait for analyzers");
        });
        assertThat(ofDownloader(new HoldingFor(HoldReason.MEMORY), true)).hasValueSatisfying(delay -> {
            assertThat(delay.why()).isEqualTo(Why.BACK_PRESSURE);
            assertThat(delay.text()).contains("memory is nearly full").doesNotContain("analyzers");
        });
    }
}
