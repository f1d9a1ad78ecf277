package io.trawl.coordinator;

import io.trawl.ledger.IdSequence;
import io.trawl.coordinator.call.DirectCaller;
import io.trawl.coordinator.call.ModuleCalls;
import io.trawl.coordinator.channel.TopicMaker;
import io.trawl.coordinator.view.HostCalls;
import io.trawl.coordinator.view.ItemCalls;
import io.trawl.coordinator.view.SchedulerView;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.admission.Admission;
import io.trawl.channel.PartitionCounts;
import io.trawl.channel.KafkaClients;
import io.trawl.coordinator.topic.RecordLookup;
import io.trawl.coordinator.topic.RequestOwnerLookup;
import io.trawl.channel.offset.TopicBacklog;
import io.trawl.channel.offset.TopicOffsets;
import io.trawl.coordinator.leader.ChannelControl;
import io.trawl.coordinator.leader.CrawlFolder;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlState;
import io.trawl.coordinator.api.ApiServices;
import io.trawl.coordinator.api.ApiServices.Commands;
import io.trawl.coordinator.api.ApiServices.Feeds;
import io.trawl.coordinator.api.ApiServices.Views;
import io.trawl.coordinator.leader.RetryControl;
import io.trawl.coordinator.feed.CrawlEvent;
import io.trawl.coordinator.feed.SeenError;
import io.trawl.coordinator.feed.TopicTail;
import io.trawl.coordinator.leader.CoordinatorContext;
import io.trawl.coordinator.leader.CrawlControl;
import io.trawl.coordinator.leader.CrawlSummaries;
import io.trawl.coordinator.leader.DefinitionControl;
import io.trawl.coordinator.leader.DomainControl;
import io.trawl.coordinator.leader.FleetStatus;
import io.trawl.coordinator.leader.LeaderElection;
import io.trawl.coordinator.leader.LeaderLookup;
import io.trawl.coordinator.leader.LeaderTerm;
import io.trawl.coordinator.leader.QueueControl;
import io.trawl.coordinator.leader.SettingsControl;
import io.trawl.coordinator.leader.StopSignControl;
import io.trawl.coordinator.leader.VisitCounter;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.StageProgress;
import io.trawl.coordinator.probe.Explainer;
import io.trawl.coordinator.probe.Previewer;
import io.trawl.coordinator.probe.UrlRecords;
import io.trawl.coordinator.probe.WaitingRequestCheck;
import io.trawl.coordinator.queue.DeadMembers;
import io.trawl.coordinator.queue.PartitionWatch;
import io.trawl.coordinator.queue.QueueRefusals;
import io.trawl.coordinator.queue.QueueWatch;
import io.trawl.coordinator.queue.StageRates;
import io.trawl.coordinator.queue.UnreadItems;
import io.trawl.coordinator.seed.QuotaRules;
import io.trawl.coordinator.summary.CrawlMeters;
import io.trawl.coordinator.summary.SnapshotTopic;
import io.trawl.coordinator.summary.Tally;
import io.trawl.coordinator.summary.LedgerFollower;
import io.trawl.coordinator.summary.LedgerFollower.LedgerSource;
import io.trawl.coordinator.webhook.WebhookDispatcher;
import io.trawl.http.CallSignature;
import io.trawl.http.TokenFile;
import io.trawl.model.CrawlerError;
import io.trawl.module.Deal;
import io.trawl.module.StageState;
import io.trawl.worker.DrainedStopSigns;
import io.trawl.worker.Stage;
import io.trawl.worker.StageFactory;
import io.trawl.worker.StageNote;
import io.trawl.worker.WorkerContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/** The stage that runs crawls: it leads or follows, sums up the ledger, and serves the REST interface. */
public final class Coordinator implements Stage {
    private static final int KEPT_ERRORS = 10_000;
    private static final int KEPT_EVENTS = 2_000;
    /** The time that a call to an analyzer may take in addition to parsing. */
    private static final Duration CALL_MARGIN = Duration.ofSeconds(5);
    private final WorkerContext context;
    private final CoordinatorContext parts;
    private final LeaderElection leaderElection;
    private final CrawlControl crawls;
    private final DefinitionControl definitions;
    private final TopicTail<CrawlerError> errors;
    private final TopicTail<CrawlEvent> events;
    private final DirectCaller caller;
    private final Admin admin;
    private final TopicOffsets offsets;
    private final UrlRecords urlRecords;
    private final VisitCounter visits;
    private final DrainedStopSigns drainedStopSigns;
    private final RedisLossDetector losses;
    private final MissingModules missingModules;
    private final CrawlMeters crawlMeters;
    private final PartitionWatch partitionWatch;
    private final DeadMembers deadMembers;
    private final CrawlFolder crawlFolder;

    Coordinator(WorkerContext context) {
        this.context = context;
        this.parts = parts(context);
        this.leaderElection = new LeaderElection(parts);
        this.errors = tail("errors", context.kafka().topics().errors(), KEPT_ERRORS, SeenError::read);
        this.events = tail("events", context.kafka().topics().events(), KEPT_EVENTS, CrawlEvent::read);
        // The links and items of a response may be larger than its body.
        this.caller = new DirectCaller(CallSignature.of(context.settings()), context.time(),
                2L * KafkaClients.largestRecord(context.settings()));
        this.admin = context.kafka().clients().admin();
        this.offsets = new TopicOffsets(context.kafka().clients().admin());
        this.urlRecords = new UrlRecords(context.kafka().topics(),
                new RecordLookup(() -> context.kafka().clients().seeker("explain-" + context.mid()),
                        context.kafka().counts(), context.time()),
                offsets, context.control()::responseLayout);
        this.visits = new VisitCounter(parts);
        this.crawls = new CrawlControl(parts, leaderElection, new CrawlSummaries(parts), visits);
        this.definitions = new DefinitionControl(parts, leaderElection, crawls.summaries(),
                new TopicMaker(context.settings(), context.kafka().topics(), admin, context.time())::makeForSinks,
                new WaitingRequestCheck(urlRecords, parts.controlState(), parts.tally(), context.ledger(),
                        context.time()),
                visits);
        this.drainedStopSigns = new DrainedStopSigns(context.control(), leaderElection::turns,
                context.telemetry().counters(), context.time(), context.mid(), leaderElection::away);
        this.losses = new RedisLossDetector(context, context.store().storeGeneration(),
                () -> parts.controlState().crawls().stream().anyMatch(c -> c.startedAt().isPresent()),
                new LeaderLookup(context, leaderElection));
        this.missingModules = new MissingModules(context, parts.rates()::live, () -> leaderElection.leading()
                && parts.controlState().crawls().stream().anyMatch(c -> c.state() == CrawlState.STARTED));
        this.crawlMeters = new CrawlMeters(parts.tally(), parts.controlState()::crawls,
                context.settings().metrics().crawls(), context.telemetry().meters(), context.time());
        this.partitionWatch = new PartitionWatch(context.kafka().clients().admin(), context.kafka().counts(),
                context.time(), context.telemetry().meters());
        this.deadMembers = new DeadMembers(admin, context.kafka().clients().eviction(), context.kafka().topics(),
                parts.rates()::live, leaderElection::leading, context.time());
        this.crawlFolder = new CrawlFolder(context, parts.controlState(), definitions, leaderElection::leading);
        registerMeters();
    }

    private static CoordinatorContext parts(WorkerContext context) {
        ControlState controlState = new ControlState(context.control());
        // What the leader has just decided counts before it is read back: else the end of a run in a new partition
        // would not be noted.
        PartitionCounts decided = new PartitionCounts(context.kafka().topics(), controlState::channels);
        LedgerFollower ledger = new LedgerFollower(
                new LedgerSource(() -> context.kafka().clients().completeReader("tally-" + context.mid()),
                        context.kafka().topics().ledger(), () -> decided.of(context.kafka().topics().ledger()),
                        new SnapshotTopic(() -> context.kafka().clients().seeker("snapshots-" + context.mid()),
                                context.kafka().topics(), context.control()::kafkaLoss)),
                context.time(), context.kafka().clocks().ofKafka(), context.failures());
        Tally tally = ledger.tally();
        StageRates rates = new StageRates();
        QueueWatch queue = new QueueWatch(
                new TopicBacklog(context.kafka().clients().admin(), context.kafka().counts()::serves),
                context.kafka().topics(), context.control(), controlState::channels,
                (priority, levels) -> tally.counting().isPresent()
                        ? Optional.empty()
                        : Optional.of(tally.traffic().of(priority, levels).waiting()),
                new UnreadItems(context.store().registrar(), rates, context.time()), context.time(),
                context.telemetry().meters());
        return new CoordinatorContext(context, controlState,
                new StageProgress(context.kafka().clients().admin(), decided::serves, context.control()::kafkaLoss),
                ledger, queue, rates, new QueueRefusals(context.telemetry().meters()),
                new Admission(context.settings().analyzer().urlLength()), new WebhookDispatcher(context, controlState),
                new QuotaRules(TokenFile.of(context.settings(), context.time())::quotas, controlState, tally,
                        context.time()));
    }

    private <T> TopicTail<T> tail(String name, String topic, int kept, Function<byte[], T> decode) {
        return new TopicTail<>(() -> context.kafka().clients().reader(name + "-tail-" + context.mid()), topic, kept,
                decode, context.time(), context.failures());
    }

    private void registerMeters() {
        MeterRegistry meters = context.telemetry().meters();
        Gauge.builder("trawl.coordinator.leading", leaderElection, l -> l.leading() ? 1 : 0)
                .description("1 while this coordinator leads").register(meters);
        ControlState controlState = parts.controlState();
        for (CrawlState state : CrawlState.values()) {
            Gauge.builder("trawl.coordinator.crawls", controlState,
                    b -> b.crawls().stream().filter(c -> c.state() == state).count()).description("Crawls by state")
                    .tag("state", state.name()).register(meters);
        }
        Gauge.builder("trawl.coordinator.streams", errors, TopicTail::subscribers)
                .description("Clients that follow the stream of errors").register(meters);
        FunctionCounter.builder("trawl.coordinator.streams.lost", errors, TopicTail::lost)
                .description("Clients that were disconnected because they were too slow").register(meters);
    }

    /** An incomplete number would look like a loss. */
    private void registerUrls() {
        Gauge.builder("trawl.coordinator.urls", parts.tally(), Tally::urls).description("URLs that the ledger knows")
                .register(context.telemetry().meters());
    }

    ApiServices services() {
        LeaderLookup leader = new LeaderLookup(context, leaderElection);
        ModuleCalls calls = new ModuleCalls(caller, context.store().registrar(),
                new RequestOwnerLookup(admin, context.kafka().topics()));
        Duration analysis = context.settings().analyzer().parseTimeout().multipliedBy(2).plus(CALL_MARGIN);
        Previewer previewer = new Previewer(parts.controlState(), parts.admission(), calls, analysis, new IdSequence(),
                context.time());
        ItemCalls items = new ItemCalls(calls);
        Explainer explainer = new Explainer(parts.controlState(), parts.admission(), context.ledger(), calls,
                urlRecords, items::containing, parts.tally());
        StopSignControl stopSigns = new StopSignControl(parts.controlState(), context.store().registrar(),
                context.store().stopSignHistory(), context.time());
        FleetStatus fleet = new FleetStatus(parts, leader, crawls.summaries(), () -> Stream
                .of(partitionWatch.notes(), deadMembers.notes(), crawlFolder.notes()).flatMap(List::stream).toList(),
                missingModules::since);
        Commands commands = new Commands(crawls, definitions, new DomainControl(parts.controlState()), stopSigns,
                new SettingsControl(parts), new ChannelControl(parts, urlRecords::waitingIn), new QueueControl(parts),
                new RetryControl(parts.controlState(), crawls, definitions, items::errors, parts.tally()));
        Views views = new Views(fleet, new SchedulerView(fleet, crawls.summaries(), stopSigns, calls, parts.tally()),
                explainer, previewer, items, new HostCalls(calls), visits);
        return new ApiServices(leader, leaderElection, commands, views, new Feeds(errors, events), calls,
                context.time());
    }

    /** Creates the topics, the stage and its endpoint. */
    public static StageFactory factory() {
        return new CoordinatorFactory();
    }

    @Override
    public void start() {
        parts.ledger().start(this::registerUrls);
        parts.queue().start();
        errors.start();
        events.start();
        losses.start();
        missingModules.start();
        crawlMeters.start();
        partitionWatch.start();
        deadMembers.start();
        crawlFolder.start();
        leaderElection.start();
    }

    @Override
    public StageState state() {
        return leaderElection.state();
    }

    @Override
    public Map<String, Object> extra() {
        Map<String, Object> extra = new TreeMap<>();
        extra.put("leading", leaderElection.leading());
        extra.put("holding", context.telemetry().heap().full());
        losses.latest().ifPresent(at -> extra.put("redisLostDataAt", at.toString()));
        context.control().kafkaLoss().ifPresent(loss -> extra.put("kafkaLostRecordsAt", loss.at().toString()));
        extra.put("crawls", parts.controlState().crawls().stream()
                .collect(Collectors.groupingBy(CrawlStatus::state, TreeMap::new, Collectors.counting())));
        return extra;
    }

    @Override
    public List<StageNote> notes() {
        return leaderElection.current().map(LeaderTerm::notes).orElse(List.of());
    }

    /** Seeds are admitted under a stop sign, too: their requests wait like all others. */
    @Override
    public List<Deal> deals() {
        return drainedStopSigns.deals();
    }

    @Override
    public void stop(Duration grace) {
        leaderElection.stop(grace);
        crawls.close();
        errors.close();
        events.close();
        caller.close();
        deadMembers.close();
        admin.close(Duration.ZERO);
        offsets.close();
        losses.close();
        missingModules.close();
        crawlMeters.close();
        partitionWatch.close();
        crawlFolder.close();
        parts.queue().close();
        parts.ledger().close();
        parts.progress().close();
    }
}
