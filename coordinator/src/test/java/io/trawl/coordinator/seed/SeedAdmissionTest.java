package io.trawl.coordinator.seed;

import java.util.HashSet;
import io.trawl.coordinator.seed.AdmittedSeeds.AddedDomains;
import io.trawl.ledger.SeedDomains;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.Admission;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.codec.Json;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.SeedRecord;
import io.trawl.coordinator.queue.Capacity;
import io.trawl.coordinator.queue.CapacityRule;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LedgerRecord;
import io.trawl.ledger.MapLedger;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.CrawlerError;
import io.trawl.model.FetchOptions;
import io.trawl.model.MID;
import io.trawl.model.PolitenessKey;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestIdentity;
import io.trawl.telemetry.Tracing;
import io.trawl.testkit.ListedControl;
import io.trawl.time.Time;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeedAdmissionTest {
    private static final TopicNames TOPIC_NAMES = new TopicNames("t.");
    private static final Channels CHANNELS = ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(8)
            .politeness(PolitenessKey.HOST).responses(8).items(4).ledger(4).build();
    private static final CrawlRun RUN = new CrawlRun(new CrawlId("docs"), 4);
    private final ControlState controlState = new ControlState(new ListedControl());
    private final MapLedger ledger = new MapLedger();
    private final long[] backlog = new long[3];
    private final Capacity capacity = new Capacity(() -> new CapacityRule(10, 3), backlog::clone, Time.system());
    private final Set<String> acceptedBefore = new HashSet<>();
    private final SeedDomainSet seedDomains = new SeedDomainSet() {
        @Override
        public long version(CrawlRun run) {
            return 7;
        }

        @Override
        public boolean accepts(CrawlRun run, String domain) {
            return acceptedBefore.contains(domain);
        }
    };
    private final SeedAdmission admission = new SeedAdmission(new Admission(2048), ledger, controlState, capacity,
            seedDomains, TOPIC_NAMES, MID.parse("C1|127.0.0.1:1"), new AtomicLong()::incrementAndGet, Time.system(),
            Tracing.OFF);

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', value = {"{broken|MALFORMED", "[]|MALFORMED", "null|MALFORMED",
            "{\"crawl\":\"docs\",\"url\":\"https://example.org/\",\"priority\":\"high\"}|MALFORMED",
            "{\"crawl\":\"docs\",\"url\":\"https://example.org/\",\"cookie\":\"a\\u0000\"}|MALFORMED",
            "{\"crawl\":\"docs\",\"url\":\"https://example.org/\",\"method\":\"TRACE\"}|MALFORMED",
            "{\"crawl\":\"docs\",\"url\":\"https://example.org/\",\"body\":\"q=1\"}|MALFORMED",
            "{\"url\":\"https://example.org/\"}|UNKNOWN_CRAWL",
            "{\"crawl\":\"No Such\",\"url\":\"https://example.org/\"}|UNKNOWN_CRAWL",
            "{\"crawl\":\"other\",\"url\":\"https://example.org/\"}|UNKNOWN_CRAWL", "{\"crawl\":\"docs\"}|NO_URL",
            "{\"crawl\":\"docs\",\"url\":\"\"}|NO_URL", "{\"crawl\":\"docs\",\"url\":\"https://\"}|BAD_URL",
            "{\"crawl\":\"docs\",\"url\":\"ftp://example.org/\"}|SCHEME",
            "{\"crawl\":\"docs\",\"url\":\"https://example.net/\"}|DOMAIN",
            "{\"crawl\":\"docs\",\"url\":\"https://example.org/\",\"priority\":-1}|PRIORITY_OUT_OF_INDEX",
            "{\"crawl\":\"docs\",\"url\":\"https://example.org/\",\"priority\":3}|PRIORITY_OUT_OF_INDEX"})
    void aBadSeedIsReportedWithItsCoordinatesAndCreatesNoRequest(String json, RefusalReason reason)
            throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        AdmittedSeeds seeds = judge(json);
        assertThat(seeds.errors()).extracting(CrawlerError::kind).containsExactly(reason.name());
        assertThat(seeds.errors().getFirst().source())
                .isEqualTo(Map.of("topic", "t.seeds", "partition", "0", "offset", "70"));
        assertThat(requests(seeds)).isEmpty();
        boolean counted = json.contains("\"docs\"") && !json.contains("high");
        assertThat(ledgerRecords(seeds)).extracting(LedgerRecord::refused)
                .isEqualTo(counted ? List.of(Map.of(reason, 1)) : List.of());
    }

    @Test
    void aSeedWhoseOptionsAreLargerThanTheRuleIsRefusedAndTheNextIsNot() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        AdmittedSeeds seeds = judge(seedWithMetadata("https://example.org/a", 64 * 1024),
                seedWithMetadata("https://example.org/b", 60 * 1024));
        assertThat(requests(seeds)).extracting(Request::url).containsExactly("https://example.org/b");
        assertThat(seeds.errors()).singleElement().satisfies(e -> {
            assertThat(e.kind()).isEqualTo("MALFORMED");
            assertThat(e.cause()).contains("at most 65536 bytes").hasSizeLessThan(300);
        });
    }

    @Test
    void aSeedThatTheScopeExcludesIsReportedAndCountedByItsRuleAndNeedsNoInclude() throws InterruptedException {
        define(CrawlState.STARTED, Optional.empty(), "{\"scope\":{\"include\":[\"/in/**\"],\"exclude\":[\"/out/**\"]}}",
                "example.org");
        AdmittedSeeds seeds = judge(seed("https://example.org/out/a"), seed("https://example.org/other.zip"));
        assertThat(requests(seeds)).extracting(Request::url).containsExactly("https://example.org/other.zip");
        assertThat(requests(seeds).getFirst().definition()).isEqualTo(controlState.known(RUN.crawl()).version());
        assertThat(ledgerRecords(seeds).getFirst().refused()).isEqualTo(Map.of(RefusalReason.EXCLUDED, 1));
        assertThat(ledgerRecords(seeds).getFirst().rules()).isEqualTo(Map.of("scope.exclude: /out/**", 1));
        assertThat(seeds.errors()).singleElement()
                .satisfies(e -> assertThat(e.cause()).contains("scope.exclude: /out/**"));
    }

    @Test
    void aCrawlOfTheDomainsOfItsSeedsAcceptsEachAndTheLedgerHasTheNewOnes() throws InterruptedException {
        define(CrawlState.STARTED, Optional.empty(), "{\"scope\":{\"domains\":\"seeds\"}}", "example.org");
        acceptedBefore.add("known.net");
        AdmittedSeeds seeds = judge(seed("https://docs.example.org/"), seed("https://a.known.net/"),
                seed("https://a.new.org/"), seed("https://b.new.org/"), seed("https://docs.example.org/"));
        assertThat(requests(seeds)).extracting(Request::url).containsExactly("https://docs.example.org/",
                "https://a.known.net/", "https://a.new.org/", "https://b.new.org/");
        assertThat(requests(seeds)).extracting(Request::domains).containsExactly(7L, 7L, 8L, 8L);
        assertThat(ledgerRecords(seeds).getFirst().domains()).contains(new SeedDomains(8, Set.of("new.org")));
        assertThat(seeds.domains().get(RUN)).isEqualTo(new AddedDomains(7, new SeedDomains(8, Set.of("new.org"))));
        assertThat(seeds.control()).as("control has the word").isEmpty();
    }

    @Test
    void aSeedThatBecomesNoRequestAddsNoDomain() throws InterruptedException {
        define(CrawlState.STARTED, Optional.empty(), "{\"scope\":{\"domains\":[\"seeds\"]}}");
        backlog[1] = 20;
        AdmittedSeeds seeds = judge(seed("https://a.new.org/"), seed("ftp://b.new.net/"));
        assertThat(requests(seeds)).isEmpty();
        assertThat(seeds.domains()).isEmpty();
        assertThat(ledgerRecords(seeds).getFirst().domains()).isEmpty();
    }

    @Test
    void aSeedThatKafkaDoesNotTakeIsReportedAndCounted() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        String json = seed("https://example.org/a");
        AdmittedSeeds seeds = admission.tooLarge(
                new ConsumerRecord<>(TOPIC_NAMES.seeds(), 0, 70, new byte[0], json.getBytes(StandardCharsets.UTF_8)),
                CHANNELS);
        assertThat(requests(seeds)).isEmpty();
        assertThat(ledgerRecords(seeds)).extracting(LedgerRecord::refused)
                .containsExactly(Map.of(RefusalReason.MALFORMED, 1));
        assertThat(seeds.errors()).singleElement()
                .satisfies(e -> assertThat(e.cause()).contains("larger than the topic's max.message.bytes"));
    }

    @Test
    void aSeedOfTheSameUrlTwiceIsOneRequest() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        AdmittedSeeds seeds = judge(seed("https://example.org/a"), seed("https://EXAMPLE.org:443/a#x"),
                seed("https://example.org/b"));
        assertThat(requests(seeds)).extracting(Request::url).containsExactly("https://example.org/a",
                "https://example.org/b");
        assertThat(ledgerRecords(seeds).getFirst().refused()).isEqualTo(Map.of(RefusalReason.SEEN, 1));
        assertThat(ledgerRecords(seeds).getFirst().emitted()).hasSize(2);
        assertThat(seeds.errors()).isEmpty();
    }

    /** The first source of a host comes with its first seed (protocol, Sources of links). */
    @Test
    void theRobotsTxtOfASeedsHostIsRequestedWithTheSeedOnceAndAtTheDepthOfSitemaps() throws InterruptedException {
        define(CrawlState.STARTED, Optional.empty(), "{\"discover\":{\"from\":\"both\"}}", "example.org");
        AdmittedSeeds seeds = judge(seed("https://example.org/a"), seed("https://example.org/b"),
                seed("http://example.org/c"),
                "{\"crawl\":\"docs\",\"url\":\"https://www.example.org/s.xml\",\"parser\":\"sitemap\"}");
        assertThat(requests(seeds)).extracting(Request::url).containsExactly("https://example.org/a",
                "https://example.org/robots.txt", "https://example.org/b", "http://example.org/c",
                "http://example.org/robots.txt", "https://www.example.org/s.xml");
        Request robots = requests(seeds).get(1);
        assertThat(robots.depth()).isEqualTo(1);
        assertThat(robots.options()).isEqualTo(FetchOptions.ofSource(FetchOptions.ROBOTS));
        assertThat(robots.seed()).isFalse();
        assertThat(ledgerRecords(seeds).getFirst().emitted()).as("the crawl waits for them").hasSize(6);
        seeds.facts().forEach(ledger::learn);
        assertThat(requests(judge(seed("https://example.org/d")))).extracting(Request::url)
                .containsExactly("https://example.org/d");
    }

    @Test
    void aSeedWithoutRoomLeadsToNoRobotsTxt() throws InterruptedException {
        define(CrawlState.STARTED, Optional.empty(), "{\"discover\":{\"from\":\"sitemap\"}}", "example.org");
        backlog[2] = 10;
        assertThat(requests(judge(seed("https://example.org/a", 2)))).isEmpty();
    }

    private static String post(String url, String body) {
        return "{\"crawl\":\"docs\",\"url\":\"" + url + "\",\"method\":\"POST\",\"body\":\"" + body + "\"}";
    }

    @Test
    void seedsOfOneUrlAreRequestsOfTheirOwnIfMethodOrBodyDiffer() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        String url = "https://example.org/a";
        ledger.learn(RUN,
                List.of(new Fact(
                        Fingerprint
                                .of(RequestIdentity.of(url, Optional.of("POST"), Optional.of("q=3"), Optional.empty())),
                        UrlFacts.requested(0))));
        AdmittedSeeds seeds = judge(post(url, "q=1"), seed(url), post("https://EXAMPLE.org/a", "q=1"), post(url, "q=2"),
                post(url, "q=3"));
        assertThat(requests(seeds)).extracting(r -> r.options().methodName() + " " + r.options().body().orElse(""))
                .containsExactly("POST q=1", "GET ", "POST q=2");
        assertThat(ledgerRecords(seeds).getFirst().refused()).isEqualTo(Map.of(RefusalReason.SEEN, 2));
        assertThat(seeds.facts().get(RUN)).extracting(Fact::request).doesNotHaveDuplicates().hasSize(3)
                .contains(Fingerprint.of(url));
    }

    @Test
    void aSeedHasTheMethodOfTheRulesForItsUrlUnlessItNamesOne() throws InterruptedException {
        define(CrawlState.STARTED, Optional.empty(), "{\"fetch\":{\"rules\":[{\"match\":\"/a\",\"method\":\"POST\"}]}}",
                "example.org");
        String url = "https://example.org/a";
        AdmittedSeeds seeds = judge(seed(url), seed("https://example.org/b"), post(url, ""), post(url, "q=1"),
                post(url, "").replace("POST", "GET"));
        assertThat(requests(seeds))
                .extracting(r -> r.options().methodName() + " " + r.url() + " " + r.options().body().orElse(""))
                .containsExactly("POST " + url + " ", "GET https://example.org/b ", "POST " + url + " q=1",
                        "GET " + url + " ");
        assertThat(ledgerRecords(seeds).getFirst().refused()).isEqualTo(Map.of(RefusalReason.SEEN, 1));
    }

    @Test
    void aUrlThatTheLedgerKnowsBecomesNoRequest() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        ledger.learn(RUN, List.of(new Fact(Fingerprint.of("https://example.org/a"), UrlFacts.requested(0)),
                new Fact(Fingerprint.of("https://example.org/deep"), UrlFacts.requested(3))));
        AdmittedSeeds seeds = judge(seed("https://example.org/a"), seed("https://example.org/deep"));
        assertThat(requests(seeds)).extracting(Request::url).containsExactly("https://example.org/deep");
        assertThat(ledger.lookUp(RUN, List.of(Fingerprint.of("https://example.org/deep"))).getFirst().known())
                .as("announced only after the commit").isEqualTo(3);
        assertThat(seeds.facts().get(RUN))
                .containsExactly(new Fact(Fingerprint.of("https://example.org/deep"), UrlFacts.requested(0)));
    }

    @Test
    void theFirstDomainIsAcceptedWithTheFirstSeedAndNoOtherAfterIt() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty());
        AdmittedSeeds seeds = judge(seed("ftp://no.net/"), seed("https://www.example.org/"),
                seed("https://example.net/"), seed("https://example.org/b"));
        assertThat(seeds.control()).containsExactly(new Domains(RUN, 2, Set.of("example.org")));
        assertThat(requests(seeds)).extracting(Request::url).containsExactly("https://www.example.org/",
                "https://example.org/b");
        assertThat(requests(seeds)).extracting(Request::domains).containsOnly(2L);
        assertThat(seeds.errors()).extracting(CrawlerError::kind).containsExactly("SCHEME", "DOMAIN");
    }

    @Test
    void aRequestHasThePriorityAndTheOptionsOfItsSeed() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        AdmittedSeeds seeds = judge(
                "{\"crawl\":\"docs\",\"url\":\"https://example.org/\",\"priority\":2,\"cookie\":\"a=b\",\"wait\":\"3s\"}",
                seed("https://example.org/b"));
        assertThat(seeds.records()).extracting(ProducerRecord::topic).containsExactly("t.requests.g1.p2",
                "t.requests.g1.p1", "t.ledger");
        assertThat(new String(seeds.records().getFirst().key(), StandardCharsets.UTF_8)).isEqualTo("example.org:443");
        assertThat(requests(seeds).getFirst().options().cookie()).contains("a=b");
        assertThat(seeds.requests()).isEqualTo(Map.of(RUN.crawl(), 2));
    }

    @Test
    void onlyAFinishedCrawlIsStartedAgainByASeed() throws InterruptedException {
        crawl(CrawlState.STOPPED, Optional.of(EndReason.FINISHED), "example.org");
        assertThat(judge(seed("https://example.org/")).control()).extracting(c -> ((CrawlStatus) c).state())
                .containsExactly(CrawlState.STARTING);
        assertThat(judge(seed("https://example.net/")).control()).isEmpty();
        for (EndReason reason : List.of(EndReason.ASKED, EndReason.PAGE_LIMIT)) {
            crawl(CrawlState.STOPPED, Optional.of(reason), "example.org");
            AdmittedSeeds waits = judge(seed("https://example.org/"));
            assertThat(waits.control()).isEmpty();
            assertThat(requests(waits)).hasSize(1);
        }
    }

    @Test
    void aSeedThatFindsNoRoomIsReportedCountedAndForgotten() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        backlog[2] = 9;
        AdmittedSeeds seeds = judge(seed("https://example.org/1", 2), seed("https://example.org/1", 2),
                seed("https://example.org/2", 2), seed("https://example.org/3", 2), seed("https://example.org/3", 1));
        assertThat(requests(seeds)).extracting(Request::url).as("no room for 2, room for 3 at the level below")
                .containsExactly("https://example.org/1", "https://example.org/3");
        assertThat(seeds.errors()).extracting(CrawlerError::kind).containsExactly("CHANNEL_FULL", "CHANNEL_FULL");
        assertThat(seeds.errors()).extracting(e -> e.source().get("offset")).containsExactly("72", "73");
        assertThat(seeds.errors()).extracting(e -> e.url().orElseThrow()).containsExactly("https://example.org/2",
                "https://example.org/3");
        assertThat(ledgerRecords(seeds).getFirst().refused())
                .isEqualTo(Map.of(RefusalReason.CHANNEL_FULL, 2, RefusalReason.SEEN, 1));
        assertThat(seeds.facts().get(RUN)).extracting(Fact::request).as("it may be sent again")
                .doesNotContain(Fingerprint.of("https://example.org/2"));
    }

    @Test
    void aSeenUrlNeedsNoRoom() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        backlog[2] = 10;
        ledger.learn(RUN, List.of(new Fact(Fingerprint.of("https://example.org/a"), UrlFacts.requested(0))));
        AdmittedSeeds seeds = judge(seed("https://example.org/a", 2));
        assertThat(seeds.errors()).isEmpty();
        assertThat(ledgerRecords(seeds).getFirst().refused()).isEqualTo(Map.of(RefusalReason.SEEN, 1));
    }

    @Test
    void aSeedWithAPlaceIsAdmittedRegardlessOfTheBacklog() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        backlog[1] = 20;
        ProducerRecord<byte[], byte[]> written = SeedRecord.withPlace(TOPIC_NAMES, RUN.crawl(),
                io.trawl.model.Seed.of(RUN.crawl(), "https://example.org/kept", Optional.empty()), 1, Optional.empty());
        ConsumerRecord<byte[], byte[]> kept = new ConsumerRecord<>(TOPIC_NAMES.seeds(), 0, 70, new byte[0],
                written.value());
        written.headers().forEach(kept.headers()::add);
        ConsumerRecord<byte[], byte[]> own = new ConsumerRecord<>(TOPIC_NAMES.seeds(), 0, 71, new byte[0],
                seed("https://example.org/own").getBytes(StandardCharsets.UTF_8));
        AdmittedSeeds seeds = admission.evaluate(List.of(kept, own), CHANNELS);
        assertThat(requests(seeds)).extracting(Request::url).containsExactly("https://example.org/kept");
        assertThat(seeds.errors()).extracting(e -> e.source().get("offset")).containsExactly("71");
    }

    @Test
    void aSeedOfTheDefinitionOfAnEarlierRunIsNotForTheNext() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (int epoch = RUN.epoch() - 1; epoch <= RUN.epoch(); epoch++) {
            ConsumerRecord<byte[], byte[]> record = new ConsumerRecord<>(TOPIC_NAMES.seeds(), 0, epoch, new byte[0],
                    seed("https://example.org/" + epoch).getBytes(StandardCharsets.UTF_8));
            record.headers().add("trawl-epoch", Integer.toString(epoch).getBytes(StandardCharsets.UTF_8));
            batch.add(record);
        }
        AdmittedSeeds seeds = admission.evaluate(batch, CHANNELS);
        assertThat(requests(seeds)).extracting(Request::url).containsExactly("https://example.org/" + RUN.epoch());
        assertThat(seeds.errors()).isEmpty();
        assertThat(requests(admission.tooLarge(batch.getFirst(), CHANNELS))).isEmpty();
        assertThat(ledgerRecords(admission.tooLarge(batch.getFirst(), CHANNELS))).isEmpty();
    }

    @Test
    void aSeedWithoutRoomAddsNoDomain() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty());
        backlog[1] = 20;
        AdmittedSeeds seeds = judge(seed("https://example.org/"));
        assertThat(seeds.errors()).extracting(CrawlerError::kind).containsExactly("CHANNEL_FULL");
        assertThat(seeds.control()).isEmpty();
    }

    @Test
    void seedsAreKeyedByWhatTheFleetSharesItsPausesBy() throws InterruptedException {
        crawl(CrawlState.STARTED, Optional.empty(), "example.org");
        List<ConsumerRecord<byte[], byte[]>> batch = List.of(new ConsumerRecord<>(TOPIC_NAMES.seeds(), 0, 70,
                new byte[0], seed("https://docs.example.org/").getBytes(StandardCharsets.UTF_8)));
        assertThat(keys(admission.evaluate(batch, CHANNELS))).containsExactly("docs.example.org:443");
        assertThat(keys(admission.evaluate(batch,
                ChannelsBuilder.builder().version(1).generation(1).levels(3).partitions(8)
                        .politeness(PolitenessKey.DOMAIN).responses(8).items(4).ledger(4).build())))
                .containsExactly("example.org");
    }

    private static List<String> keys(AdmittedSeeds seeds) {
        return seeds.records().stream().filter(r -> r.topic().contains("requests"))
                .map(r -> new String(r.key(), StandardCharsets.UTF_8)).toList();
    }

    private void crawl(CrawlState state, Optional<EndReason> end, String... domains) {
        define(state, end, "{}", domains);
    }

    private void define(CrawlState state, Optional<EndReason> end, String json, String... domains) {
        CrawlDefinition definition = Json.read(json.getBytes(StandardCharsets.UTF_8), CrawlDefinition.class);
        controlState
                .enter(CrawlStatus.of(RUN, controlState.nextVersion(CrawlStatus.key(RUN.crawl())), definition, state)
                        .withEnd(end.map(e -> new End(e, Instant.EPOCH))));
        controlState.enter(new Domains(RUN, controlState.nextVersion(Domains.key(RUN.crawl())), Set.of(domains)));
    }

    private AdmittedSeeds judge(String... json) throws InterruptedException {
        List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (String value : json) {
            batch.add(new ConsumerRecord<>(TOPIC_NAMES.seeds(), 0, 70 + batch.size(), new byte[0],
                    value.getBytes(StandardCharsets.UTF_8)));
        }
        return admission.evaluate(batch, CHANNELS);
    }

    private static String seed(String url, int priority) {
        return "{\"crawl\":\"docs\",\"url\":\"" + url + "\",\"priority\":" + priority + "}";
    }

    private static String seed(String url) {
        return "{\"crawl\":\"docs\",\"url\":\"" + url + "\"}";
    }

    private static String seedWithMetadata(String url, int size) {
        return "{\"crawl\":\"docs\",\"url\":\"" + url + "\",\"metadata\":{\"m\":\"" + "x".repeat(size) + "\"}}";
    }

    private static List<Request> requests(AdmittedSeeds seeds) {
        return seeds.records().stream().filter(r -> r.topic().contains("requests")).map(r -> Codec.request(r.value()))
                .toList();
    }

    private static List<LedgerRecord> ledgerRecords(AdmittedSeeds seeds) {
        return seeds.records().stream().filter(r -> r.topic().equals(TOPIC_NAMES.ledger()))
                .map(r -> Codec.ledger(r.value())).toList();
    }
}
