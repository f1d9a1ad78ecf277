package io.trawl.coordinator.lifecycle;

import io.trawl.channel.TopicNames;
import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.QueueMoves;
import io.trawl.control.ControlRecord.MoveOrder;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import io.trawl.pattern.UrlPattern;
import io.trawl.time.Time;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/** Orders to move what waits in a crawl to another priority. Belongs to the leader's thread. */
public final class QueueChanges {
    private final ControlWriter controlWriter;
    private final ControlState controlState;
    private final StageProgress progress;
    private final TopicNames topicNames;
    private final Time time;

    /** @param controlWriter writes during this term */
    public QueueChanges(ControlWriter controlWriter, ControlState controlState, StageProgress progress,
            TopicNames topicNames, Time time) {
        this.controlWriter = controlWriter;
        this.controlState = controlState;
        this.progress = progress;
        this.topicNames = topicNames;
        this.time = time;
    }

    /**
     * Orders that what waits now moves; what is written later stays. The record keeps the last orders only.
     *
     * @throws InvalidValueException if there is no such priority
     */
    public QueueMoves order(CrawlId crawl, UrlPattern match, int to) throws InterruptedException {
        CrawlRun run = controlState.known(crawl).run();
        Channels channels = controlState.channels().orElseThrow();
        if (to < 0 || to >= channels.levels()) {
            throw new InvalidValueException("to", Integer.toString(to), "0 to " + (channels.levels() - 1));
        }
        QueueMoves known = controlState.queueMoves(run);
        int number = known.moves().stream().mapToInt(MoveOrder::number).max().orElse(0) + 1;
        List<MoveOrder> moves = new ArrayList<>(known.moves());
        moves.add(new MoveOrder(number, match, to, channels.generation(), ends(channels), time.now()));
        QueueMoves next = new QueueMoves(run, controlState.nextVersion(known.key()),
                moves.subList(Math.max(0, moves.size() - QueueMoves.MOST), moves.size()));
        controlWriter.write(next);
        return next;
    }

    /** By priority and partition. */
    private List<List<Long>> ends(Channels channels) throws InterruptedException {
        List<List<Long>> ends = new ArrayList<>();
        for (String topic : topicNames.requests(channels)) {
            ends.add(progress.ends(topic).entrySet().stream()
                    .sorted(Comparator.comparingInt((Map.Entry<TopicPartition, Long> end) -> end.getKey().partition()))
                    .map(Map.Entry::getValue).toList());
        }
        return ends;
    }
}
