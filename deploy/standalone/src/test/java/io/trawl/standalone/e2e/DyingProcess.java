package io.trawl.standalone.e2e;

import io.trawl.channel.KafkaClients;
import io.trawl.channel.TopicNames;
import io.trawl.codec.Codec;
import io.trawl.control.Channels;
import io.trawl.control.ControlRecord;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlState;
import io.trawl.http.Endpoint;
import io.trawl.ledger.AnsweredMarks;
import io.trawl.ledger.Fingerprint;
import io.trawl.ledger.Ledger;
import io.trawl.ledger.LogPartition;
import io.trawl.ledger.UrlFacts;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.ModuleKind;
import io.trawl.politeness.InheritedPauses;
import io.trawl.politeness.PartitionLeaseStore;
import io.trawl.settings.Settings;
import io.trawl.testkit.SendInterceptor;
import io.trawl.testkit.TestJvm;
import io.trawl.store.Store;
import io.trawl.time.Time;
import io.trawl.worker.Stage;
import io.trawl.worker.StageFactory;
import io.trawl.worker.WorkerContext;
import io.trawl.worker.WorkerMain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.lang.reflect.Proxy;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A process in a JVM of its own that dies ({@link Runtime#halt}, which runs nothing, like kill -9) exactly at a
 * {@link Moment}. It runs the shipped code; its calls of Redis go through ports that die, and its records to Kafka
 * through an interceptor that dies.
 *
 * <p>
 * Arguments: settings as a JSON object, moment, how often it is passed before.
 */
final class DyingProcess {
    static final int DIED = 137;
    private static final String MOMENT = "dying.moment";
    private static final String PASSED = "dying.passed";
    /** Of this process, since Kafka's clients create the interceptors. */
    private static final AtomicInteger LEFT = new AtomicInteger(Integer.getInteger(PASSED, 0));
    private static final Set<Moment> REACHED = ConcurrentHashMap.newKeySet();

    private DyingProcess() {}

    /**
     * @param folder for a file that configures the interceptors of Kafka's clients, and for the output of the process
     */
    static Process start(Path folder, Map<String, String> properties, Moment moment, int passed) throws IOException {
        Map<String, String> watched = SendInterceptor.watching(Watched.class, folder, properties);
        return TestJvm
                .of(DyingProcess.class, List.of("-D" + MOMENT + "=" + moment, "-D" + PASSED + "=" + passed),
                        List.of(TestJvm.argument(watched)))
                .redirectOutput(folder.resolve(moment + ".log").toFile()).start();
    }

    public static void main(String[] args) throws IOException {
        Settings settings = TestJvm.settings(args[0]);
        WorkerMain.run(new Dying(moment().factory()), () -> settings);
    }

    private static Moment moment() {
        return Moment.valueOf(System.getProperty(MOMENT));
    }

    private static void reached(Moment moment) {
        if (moment == moment() && moment.after().map(REACHED::contains).orElse(true) && LEFT.getAndDecrement() == 0) {
            Runtime.getRuntime().halt(DIED);
        }
        REACHED.add(moment);
    }

    /** The stage of another factory, with ports that die. */
    private record Dying(StageFactory whole) implements StageFactory {
        /** Before the stage learns of the record. */
        private static void read(ControlRecord record) {
            if (record instanceof Channels channels) {
                channels.replaced().ifPresent(old -> {
                    reached(Moment.TOLD);
                    reached(Moment.ASKED);
                    if (old.opened().isPresent()) {
                        reached(Moment.OPENED);
                    }
                });
                channels.responseLayout().closing().ifPresent(_ -> reached(Moment.BARRED));
                channels.responseLayout().left().ifPresent(_ -> reached(Moment.LAID));
            }
        }

        @Override
        public ModuleKind kind() {
            return whole.kind();
        }

        @Override
        public Endpoint endpoint(Settings settings, int port) {
            return whole.endpoint(settings, port);
        }

        @Override
        public void prepare(Settings settings, TopicNames topicNames, KafkaClients kafka, Time time) {
            whole.prepare(settings, topicNames, kafka, time);
        }

        @Override
        public Stage create(WorkerContext c) {
            c.control().listen(Dying::read);
            return whole.create(new WorkerContext(c.settings(), c.time(), c.identity(), c.kafka(), c.control(),
                    dying(c.store()), new DyingLedger(c.ledger()), c.telemetry(), c.plugins(), c.failures()));
        }

        /** All ports of a store, of which two die. */
        private static Store dying(Store whole) {
            return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[]{Store.class},
                    (_, port, arguments) -> switch (port.invoke(whole, arguments)) {
                        case AnsweredMarks marks -> new DyingMarks(marks);
                        case PartitionLeaseStore leases -> new DyingLeases(leases);
                        case Object other -> other;
                    });
        }
    }

    private record DyingLeases(PartitionLeaseStore whole) implements PartitionLeaseStore {
        @Override
        public Optional<InheritedPauses> take(LeaseClaim leaseClaim, Duration length) {
            return whole.take(leaseClaim, length);
        }

        @Override
        public Set<LeaseClaim> renew(Collection<LeaseClaim> leaseClaims, Duration length) {
            return whole.renew(leaseClaims, length);
        }

        @Override
        public Optional<InheritedPauses> close(LeasedPartition leasedPartition) {
            reached(Moment.CLOSING);
            return whole.close(leasedPartition);
        }

        @Override
        public void bequeath(LeasedPartition leasedPartition, InheritedPauses pauses) {
            reached(Moment.BEQUEATHING);
            whole.bequeath(leasedPartition, pauses);
        }

        @Override
        public void note(LeasedPartition leasedPartition, Map<HostKey, Duration> pauses) {
            whole.note(leasedPartition, pauses);
        }

        @Override
        public void release(Collection<LeaseClaim> leaseClaims) {
            reached(Moment.RELEASING);
            whole.release(leaseClaims);
        }
    }

    private record DyingLedger(Ledger whole) implements Ledger {
        @Override
        public List<UrlFacts> lookUp(CrawlRun run, List<Fingerprint> urls) {
            return whole.lookUp(run, urls);
        }

        @Override
        public List<UrlFacts> learn(CrawlRun run, List<Fact> facts) {
            boolean announcement = facts.stream().allMatch(f -> f.facts().doneDepth() == UrlFacts.NO_DEPTH);
            if (announcement) {
                reached(Moment.COMMITTED);
                reached(Moment.ADMITTED);
            } else {
                reached(Moment.ACKNOWLEDGED);
            }
            List<UrlFacts> before = whole.learn(run, facts);
            if (!announcement) {
                reached(Moment.LEARNT);
            }
            return before;
        }

        @Override
        public void forget(CrawlRun run) {
            whole.forget(run);
        }

        @Override
        public void continueRun(CrawlRun from, CrawlRun to, Collection<Fingerprint> without) {
            whole.continueRun(from, to, without);
        }

        @Override
        public boolean surelyKnown(CrawlRun run, Fingerprint url, int depth) {
            return whole.surelyKnown(run, url, depth);
        }
    }

    private record DyingMarks(AnsweredMarks whole) implements AnsweredMarks {
        @Override
        public void mark(LogPartition partition, Collection<Long> offsets) {
            reached(Moment.TAUGHT);
            reached(Moment.ENTERED);
            whole.mark(partition, offsets);
            reached(Moment.MARKED);
        }

        @Override
        public BitSet answered(LogPartition partition, long from, int count) {
            reached(Moment.FORWARDED);
            return whole.answered(partition, from, count);
        }

        @Override
        public void dropBelow(LogPartition partition, long offset) {
            reached(Moment.DROPPING);
            whole.dropBelow(partition, offset);
        }
    }

    /** Dies before a record is sent. */
    public static final class Watched extends SendInterceptor {
        @Override
        protected void beforeSend(ProducerRecord<byte[], byte[]> record) {
            if (record.topic().endsWith("ledger")) {
                reached(Moment.WRITING);
                reached(Moment.ENTERING);
            } else if (record.topic().contains("requests.")) {
                reached(Moment.FORWARDING);
                reached(Moment.NEXT);
            } else if (record.topic().endsWith("control") && record.value() != null) {
                switch (Codec.control(record.value())) {
                    case CrawlStatus status -> about(status.state());
                    case Channels channels -> about(channels);
                    default -> {
                        // not a moment of these tests
                    }
                }
            }
        }

        private static void about(Channels channels) {
            if (channels.replaced().isPresent()) {
                reached(channels.served() ? Moment.OPENING : Moment.DECIDING);
            } else if (channels.responseLayout().closing().isPresent()) {
                reached(Moment.BARRING);
            } else {
                reached(channels.responseLayout().changing() ? Moment.LAYING : Moment.COMPLETING);
            }
        }

        private static void about(CrawlState state) {
            switch (state) {
                case STARTING -> reached(Moment.DEFINED);
                case STARTED -> reached(Moment.STARTING);
                case STOPPED -> reached(Moment.FINISHING);
                default -> {
                    // not a moment of this test
                }
            }
        }
    }
}
