package io.trawl.coordinator.leader;

import io.trawl.channel.TopicNames;
import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.MoveOrder;
import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.StageProgress;
import io.trawl.coordinator.summary.Tally;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.model.ModuleKind;
import io.trawl.module.Deal;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import io.trawl.pattern.UrlPattern;
import io.trawl.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * Orders to move pending requests of a crawl to another priority, and how far they are. Thread-safe, but orders belong
 * to the leader's thread; the others block.
 */
public final class QueueControl {
    private static final Duration COUNTING = Duration.ofSeconds(1);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private final ControlState controlState;
    private final Registrar registrar;
    private final Tally tally;
    private final StageProgress progress;
    private final TopicNames topics;
    private final Time time;

    /**
     * An order to move what waits.
     *
     * @param number of the order in its run
     * @param match the requests
     * @param to the priority
     * @param at when it was given
     * @param moved how many requests it has moved, by the ledger
     * @param complete whether live downloaders serve all partitions, have looked at all that waited, and {@code moved}
     * is final
     * @param overtaken whether the request topics were replaced since: what the order had not reached by then keeps its
     * priority
     * @param text how far it is, as a sentence
     */
    public record MoveReport(int number, String match, int to, Instant at, long moved, boolean complete,
            boolean overtaken, String text) {}

    /**
     * The last orders of a crawl.
     *
     * @param left how many places of its logs downloaders have not looked at
     * @param moves the last one last
     */
    public record QueueReport(long left, List<MoveReport> moves) {}

    /** What to move, as a call says it: requests of a host, or those that a pattern matches. */
    public record WantedMove(Optional<String> host, Optional<String> match, Optional<Integer> to) {}

    /** Of the crawls of this coordinator's deployment. */
    public QueueControl(CoordinatorContext parts) {
        this.controlState = parts.controlState();
        this.registrar = parts.context().store().registrar();
        this.tally = parts.tally();
        this.progress = parts.progress();
        this.topics = parts.context().kafka().topics();
        this.time = parts.context().time();
    }

    /** @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is no such crawl */
    public QueueReport moves(CrawlId crawl) throws InterruptedException {
        return report(controlState.queueMoves(controlState.known(crawl).run()));
    }

    /**
     * Orders that the requests that are pending now move; those that are written later are not moved. The record keeps
     * the last orders only.
     *
     * @throws InvalidValueException if a value is not valid, or there is no such priority
     * @throws io.trawl.coordinator.channel.ReplacementInProgressException while the request topics are replaced
     */
    public QueueMoves move(LeaderTerm leaderTerm, CrawlId crawl, WantedMove wanted) throws InterruptedException {
        UrlPattern match = match(wanted);
        int to = wanted.to().orElseThrow(() -> new InvalidValueException("to", "", "a priority"));
        Channels channels = leaderTerm.replacement().replaceable();
        CrawlRun run = controlState.known(crawl).run();
        if (to < 0 || to >= channels.levels()) {
            throw new InvalidValueException("to", Integer.toString(to), "0 to " + (channels.levels() - 1));
        }
        QueueMoves known = controlState.queueMoves(run);
        int number = known.moves().stream().mapToInt(MoveOrder::number).max().orElse(0) + 1;
        List<MoveOrder> moves = new ArrayList<>(known.moves());
        moves.add(new MoveOrder(number, match, to, channels.generation(), ends(channels), time.now()));
        QueueMoves next = new QueueMoves(run, controlState.nextVersion(known.key()),
                moves.subList(Math.max(0, moves.size() - QueueMoves.MOST), moves.size()));
        leaderTerm.writer().write(next);
        return next;
    }

    /** By priority and partition. */
    private List<List<Long>> ends(Channels channels) throws InterruptedException {
        List<List<Long>> ends = new ArrayList<>();
        for (String topic : topics.requests(channels)) {
            ends.add(progress.ends(topic).entrySet().stream()
                    .sorted(Comparator.comparingInt((Map.Entry<TopicPartition, Long> end) -> end.getKey().partition()))
                    .map(Map.Entry::getValue).toList());
        }
        return ends;
    }

    private static UrlPattern match(WantedMove wanted) {
        if (wanted.host().isPresent() == wanted.match().isPresent()) {
            throw new InvalidValueException("match", wanted.match().orElse(""), "given, or a host: one of them");
        }
        String pattern = wanted.match().or(() -> wanted.host().map(QueueControl::ofHost)).orElseThrow();
        try {
            return UrlPattern.parse(pattern);
        } catch (InvalidValueException e) {
            throw new InvalidValueException(wanted.host().isPresent() ? "host" : "match", e.value(), e.rule());
        }
    }

    /** With a port, only what is at that port. URLs leave out the port that their scheme has anyway. */
    private static String ofHost(String host) {
        String name = StopSignControl.hostName(host);
        if (name.endsWith(":443")) {
            return "https://" + name.substring(0, name.length() - ":443".length());
        }
        if (name.endsWith(":80")) {
            return "http://" + name.substring(0, name.length() - ":80".length());
        }
        return name.matches(".*:[0-9]+") ? "{http,https}://" + name : name;
    }

    /** How far the orders of a run are. */
    public QueueReport report(QueueMoves known) throws InterruptedException {
        List<Registration> downloaders = registrar.all().stream()
                .filter(live -> live.mid().kind() == ModuleKind.DOWNLOADER).toList();
        int unserved = unserved(downloaders);
        boolean complete = unserved == 0
                && downloaders.stream().allMatch(live -> live.deals().getOrDefault(known.key(), 0L) >= known.version())
                && counted();
        long left = downloaders.stream().flatMap(live -> live.draining().stream())
                .filter(deal -> deal.sign().equals(known.key())).mapToLong(Deal::inFlight).sum();
        String rest = downloaders.isEmpty()
                ? "; no downloader is running"
                : downloaders.stream().noneMatch(live -> knows(live, known))
                        ? "; no downloader has answered yet"
                        : rest(left, unserved);
        Map<Integer, Long> moved = tally.moved(known.run());
        int generation = controlState.channels().map(Channels::generation).orElse(Channels.FIRST_GENERATION);
        return new QueueReport(left, known.moves().stream().map(move -> report(move,
                moved.getOrDefault(move.number(), 0L), complete, move.generation() < generation, rest)).toList());
    }

    private static String rest(long left, int unserved) {
        String places = ", " + count(left) + (left == 1 ? " place" : " places") + " of the log left";
        return unserved == 0
                ? places
                : places + ", " + count(unserved) + (unserved == 1 ? " partition" : " partitions")
                        + " without a downloader at the moment";
    }

    /** How many partitions no downloader serves: while they change their owner, nobody looks at what waits there. */
    private int unserved(List<Registration> downloaders) {
        int served = downloaders.stream().mapToInt(live -> live.partitions().orElse(0)).sum();
        return Math.max(0, controlState.channels().map(Channels::partitions).orElse(1) - served);
    }

    /** Whether all that the ledger says by now is counted, or is soon. */
    private boolean counted() throws InterruptedException {
        Map<TopicPartition, Long> marks = progress.ends(topics.ledger());
        long last = time.nanos() + COUNTING.toNanos();
        while (!tally.reached(marks)) {
            if (time.nanos() - last >= 0) {
                return false;
            }
            time.pause(POLL_INTERVAL);
        }
        return true;
    }

    private static boolean knows(Registration live, QueueMoves orders) {
        return live.deals().getOrDefault(orders.key(), 0L) >= orders.version() || live.draining().stream()
                .anyMatch(deal -> deal.sign().equals(orders.key()) && deal.version() >= orders.version());
    }

    private static MoveReport report(MoveOrder move, long moved, boolean complete, boolean overtaken, String rest) {
        String text = "moved " + count(moved) + " of " + move.match() + " to priority " + move.to()
                + (complete ? "" : " so far" + rest)
                + (overtaken
                        ? "; the request topics were replaced since: what was not reached by then keeps its priority"
                        : complete && moved == 0 ? ": nothing of it waits that could be moved" : "");
        return new MoveReport(move.number(), move.match().toString(), move.to(), move.at(), moved, complete, overtaken,
                text);
    }

    private static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
