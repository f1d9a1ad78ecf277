package io.trawl.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.trawl.control.ControlRecord.Domains;
import io.trawl.store.DeliveryAttempts.LogPosition;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.Ledger.Fact;
import io.trawl.ledger.LogPartition;
import io.trawl.ledger.UrlFacts;
import io.trawl.definition.CrawlDefinition.HostLimits;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.MID;
import io.trawl.model.Request.RequestId;
import io.trawl.model.ModuleKind;
import io.trawl.module.Counters;
import io.trawl.module.Registration;
import io.trawl.module.SerialNumbers;
import io.trawl.module.StageState.Phase;
import io.trawl.politeness.KeptSession;
import io.trawl.politeness.PartitionLeaseStore.LeaseClaim;
import io.trawl.politeness.PartitionLeaseStore.LeasedPartition;
import io.trawl.politeness.RobotsAnswer;
import io.trawl.testkit.ListedControl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Values of other programs under the keys of Trawl: what they replaced is forgotten, and nothing else happens. */
class ForeignValuesIT {
    private static final TestRedis REDIS = TestRedis.shared();
    private static final CrawlRun RUN = CrawlRun.parse("docs/2");
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Fact FACT = new Fact(new Fingerprint(1, 2), UrlFacts.requested(1));
    private final String namespace = TestRedis.namespace();
    private final RedisStore store = REDIS.store(namespace);
    private final RedisSerialNumbers serials = store.serialNumbers(LONG,
            () -> new SerialNumbers.SerialRange(1, RedisSerialNumbers.DEFAULT_MAX));
    private final LeaseClaim claim = LeaseClaim.on(new LeasedPartition(1, 0));
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @BeforeEach
    void listen() {
        lines.start();
        Logger log = (Logger) LoggerFactory.getLogger("io.trawl.redis");
        // A command that another test ran in this JVM may have turned the log off.
        log.setLevel(Level.WARN);
        log.addAppender(lines);
    }

    @AfterEach
    void close() {
        ((Logger) LoggerFactory.getLogger("io.trawl.redis")).detachAppender(lines);
        store.close();
    }

    /** Every call of every port; after it there is a key of every kind. */
    private void everything() {
        // A ledger of its own, since it caches the number of tags.
        Ledger ledger = store.ledger();
        ledger.lookUp(RUN, List.of(FACT.request()));
        ledger.learn(RUN, List.of(FACT));
        ledger.forgetThrough(new CrawlRun(RUN.crawl(), 1));
        LogPartition log = new LogPartition("t", "id", 0);
        store.marks().dropBelow(log, 70_000);
        store.marks().mark(log, List.of(70_001L, 140_000L));
        store.marks().answered(log, 70_000, 10);
        LogPosition position = new LogPosition("t", 0, 5);
        store.attempts("other").begin(List.of(position));
        store.attempts("me").withdraw(List.of(position));
        store.attempts("me").end(List.of(position));
        store.storeGeneration().increment();
        store.registrar().register(new Registration(MID.parse("D1|h:1"), 1, new Counters().counts(), Instant.EPOCH,
                Map.of(), Phase.RUNNING), LONG);
        assertThat(store.registrar().all()).isNotEmpty();
        store.leases().take(claim, LONG);
        store.leases().note(claim.shard(), Map.of(new HostKey("a:80"), LONG));
        store.leases().renew(List.of(claim), LONG);
        long number = serials.take(ModuleKind.DOWNLOADER);
        serials.renew(ModuleKind.DOWNLOADER, number);
        serials.position(ModuleKind.DOWNLOADER);
        store.domainsMirror().write(new Domains(RUN, 3, Set.of("a.org")));
        store.acceptedDomains(new ListedControl()).ask(RUN, Set.of("a.org", "b.org"), 0);
        store.robots().keep(new HostKey("a:80"), "trawl", new RobotsAnswer.None(), LONG);
        store.robots().find(new HostKey("a:80"), "trawl");
        store.hostBudgets().take(RUN, new HostKey("a:80"), new RequestId(1),
                new HostLimits(Optional.of(1L), Optional.of(1L), Optional.of(LONG)), Optional.empty());
        store.hostBudgets().failed(RUN, new HostKey("a:80"), new RequestId(1));
        store.hostSessions().keep(RUN, new HostKey("a:80"), new KeptSession(1, List.of(), Optional.of("x")));
        store.hostSessions().find(RUN, new HostKey("a:80"));
    }

    private List<String> warnings(String key) {
        return List.copyOf(lines.list).stream().map(ILoggingEvent::getFormattedMessage).filter(m -> m.contains(key))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"RPUSH %s x", "SADD %s x", "ZADD %s 1 x",
            "HSET %s next x #version x lowest x highest x broken x 0 x docs x", "SET %s x", "SETRANGE %s 0 -1",
            "SET %s 99999999999999999999999"})
    void whateverIsUnderAKeyTheCallsSucceed(String command) {
        everything();
        List<String> keys = REDIS.keys(namespace + "*");
        assertThat(keys).hasSizeGreaterThan(12);
        for (String key : keys) {
            lines.list.clear();
            REDIS.command("DEL " + key);
            REDIS.command(command.formatted(key));
            assertThatCode(this::everything).as(key).doesNotThrowAnyException();
            assertThat(warnings(key)).as("lines about %s", key).hasSizeLessThan(2);
            assertThat(lines.list).as("%s", key).allSatisfy(line -> assertThat(line.getThrowableProxy()).isNull());
        }
    }

    @Test
    void aKeyWithAValueOfAnotherTypeIsRemovedAndNamedOnce() {
        Ledger ledger = store.ledger();
        ledger.learn(RUN, List.of(FACT));
        String bucket = REDIS.keys(namespace + "ledger:*").stream().filter(key -> key.endsWith("f")).findFirst()
                .orElseThrow();
        REDIS.command("DEL " + bucket);
        REDIS.command("SET " + bucket + " text");

        assertThat(ledger.lookUp(RUN, List.of(FACT.request()))).containsExactly(UrlFacts.NOTHING);
        ledger.learn(RUN, List.of(FACT));

        assertThat(ledger.lookUp(RUN, List.of(FACT.request()))).containsExactly(FACT.facts());
        assertThat(warnings(bucket)).singleElement().asString().contains("another type", "removed", "work may repeat");
    }

    @Test
    void aLeaseThatNeverExpiresIsNone() {
        REDIS.command("SET " + namespace + "leases:{0}:g1:0 text");
        assertThat(store.leases().take(claim, LONG)).isPresent();
        assertThat(store.leases().take(LeaseClaim.on(claim.shard()), LONG)).isEqualTo(Optional.empty());
    }
}
