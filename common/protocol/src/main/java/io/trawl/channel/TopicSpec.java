package io.trawl.channel;

import io.trawl.control.Channels;
import io.trawl.model.ModuleKind;
import io.trawl.settings.Settings;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One topic of a deployment: its partitions and its retention. {@link #all} is the one table of topics: a coordinator
 * creates the topics from it, and every module deletes handled records from the topics that name its kind
 * ({@link TopicTrimmer}).
 *
 * @param name with the namespace
 * @param partitions at creation; an existing topic keeps its number
 * @param retention how long records stay
 * @param bodies whether it accepts records with a whole body
 */
public record TopicSpec(String name, int partitions, Retention retention, boolean bodies) {
    /** The configuration key for the largest record batch of a topic. */
    public static final String RECORD_SIZE = "max.message.bytes";
    /** The configuration key for what the time of a record is. */
    public static final String TIMESTAMPS = "message.timestamp.type";
    /**
     * The time at which it came, by the clock of the broker: by default the broker refuses records of a writer whose
     * clock is an hour ahead.
     */
    public static final String BROKER_TIME = "LogAppendTime";

    /**
     * How long the records of a topic stay. A topic without a limit has a module that trims it.
     */
    public sealed interface Retention {
        /**
         * Without limit, until the one group that reads the topic has committed an offset behind them; then that module
         * deletes them.
         *
         * @param group the group whose committed offsets decide
         * @param trimmer the kind of module whose processes form that group and delete
         * @param keep records that are younger stay, for readers other than that group; zero: none
         */
        record UntilHandled(String group, ModuleKind trimmer, Duration keep) implements Retention {
            /** Handled records stay no longer. */
            public UntilHandled(String group, ModuleKind trimmer) {
                this(group, trimmer, Duration.ZERO);
            }
        }

        /** Limited by time and by bytes per partition; the operator may change both. */
        record Bounded(Duration time, long bytes) implements Retention {}

        /** The latest record of each key. */
        record Compacted() implements Retention {}

        /** Without limit, until no run needs it; then the leader deletes it. */
        record UntilUnneeded(String reason) implements Retention {}
    }

    /** @param requests the names of the request topics */
    public static List<TopicSpec> all(TopicNames topicNames, Settings.TopicSettings settings,
            Collection<String> requests) {
        Retention bounded = new Retention.Bounded(Duration.ofDays(7), 256L << 20);
        Stream<TopicSpec> requestTopics = requests.stream()
                .map(name -> request(topicNames, name, settings.requestPartitions()));
        // `control` comes last: a coordinator that finds it knows that all others exist.
        return Stream
                .concat(requestTopics,
                        Stream.of(
                                new TopicSpec(topicNames.seeds(), 1,
                                        new Retention.UntilHandled(topicNames.coordinatorGroup(),
                                                ModuleKind.COORDINATOR),
                                        false),
                                new TopicSpec(topicNames.responses(), settings.responsePartitions(),
                                        new Retention.UntilHandled(topicNames.analyzerGroup(), ModuleKind.ANALYZER),
                                        true),
                                new TopicSpec(topicNames.items(), settings.itemPartitions(),
                                        new Retention.UntilHandled(topicNames.pipelineGroup(), ModuleKind.PIPELINE,
                                                settings.itemsKeep()),
                                        true),
                                new TopicSpec(topicNames.ledger(), settings.ledgerPartitions(),
                                        new Retention.UntilUnneeded("coordinators add up what no snapshot has"), false),
                                new TopicSpec(topicNames.visits(), 1,
                                        new Retention.UntilUnneeded("the next refresh of a run reads them"), false),
                                new TopicSpec(topicNames.errors(), 1, bounded, false),
                                new TopicSpec(topicNames.events(), 1, bounded, false),
                                new TopicSpec(topicNames.changes(), 1, bounded, false),
                                new TopicSpec(topicNames.snapshots(), 1, new Retention.Compacted(), false),
                                new TopicSpec(topicNames.positions(), 1, new Retention.Compacted(), false),
                                new TopicSpec(topicNames.control(), 1, new Retention.Compacted(), false)))
                .toList();
    }

    /** The request topics of a generation. */
    public static List<TopicSpec> requests(TopicNames topicNames, Channels channels) {
        return topicNames.requests(channels).stream().map(name -> request(topicNames, name, channels.partitions()))
                .toList();
    }

    private static TopicSpec request(TopicNames topicNames, String name, int partitions) {
        return new TopicSpec(name, partitions,
                new Retention.UntilHandled(topicNames.downloaderGroup(), ModuleKind.DOWNLOADER), false);
    }

    /** Whether processes of this kind delete the handled records. */
    public boolean trimmedBy(ModuleKind kind) {
        return retention instanceof Retention.UntilHandled handled && handled.trimmer() == kind;
    }

    /**
     * The configuration of the topic. The broker frees only whole segments on disk, so trimmed topics have small ones;
     * a segment must hold the largest record.
     */
    public Map<String, String> configs(Settings settings) {
        int largest = KafkaClients.largestRecord(settings);
        int segment = bodies ? Math.max(settings.topics().segmentBytes(), largest) : settings.topics().segmentBytes();
        Map<String, String> configs = new HashMap<>(switch (retention) {
            case Retention.UntilHandled _,Retention.UntilUnneeded _ -> Map.of("cleanup.policy", "delete",
                    "retention.ms", "-1", "retention.bytes", "-1", "segment.bytes", Integer.toString(segment));
            case Retention.Bounded(Duration time, long bytes) ->
                Map.of("cleanup.policy", "delete", "retention.ms", Long.toString(time.toMillis()), "retention.bytes",
                        Long.toString(bytes), "segment.bytes", Integer.toString(segment));
            case Retention.Compacted _ -> Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.1",
                    "segment.ms", Long.toString(Duration.ofHours(1).toMillis()), "delete.retention.ms",
                    Long.toString(Duration.ofDays(1).toMillis()));
        });
        configs.put(TIMESTAMPS, BROKER_TIME);
        if (bodies) {
            configs.put(RECORD_SIZE, Integer.toString(largest));
        }
        return configs;
    }
}
