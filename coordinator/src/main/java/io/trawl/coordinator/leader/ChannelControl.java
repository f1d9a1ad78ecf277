package io.trawl.coordinator.leader;

import io.trawl.channel.TopicNames;
import io.trawl.codec.NearestName;
import io.trawl.control.Channels;
import io.trawl.control.ChannelsBuilder;
import io.trawl.coordinator.channel.ReplacementPlan;
import io.trawl.coordinator.channel.ReplacementPlan.WaitingScan;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.coordinator.lifecycle.StageProgress;
import io.trawl.model.InvalidValueException;
import io.trawl.model.Request;
import io.trawl.settings.Settings;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Changes the counts of request topics and of the partitions of items, responses and the ledger. Thread-safe; calls
 * block.
 *
 * @param waiting looks at the requests that wait in a generation
 */
public record ChannelControl(CoordinatorContext parts, WaitingScan waiting) {
    private static final String LEVELS = "levels";
    private static final String PARTITIONS = "partitions";
    private static final String ITEMS = "items";
    private static final String RESPONSES = "responses";
    private static final String LEDGER = "ledger";
    /** A topic with more takes the broker minutes. */
    private static final int MOST_PARTITIONS = 10_000;
    /** Every coordinator reads all of them. */
    private static final int MOST_OF_LEDGER = 1000;

    /**
     * The first leader of a deployment defines the request topics and their key. Later settings do not change them,
     * only a replacement does, and never the key: with two keys, two downloaders would send requests to one host at a
     * time.
     */
    static void define(CoordinatorContext parts, ControlWriter controlWriter) throws InterruptedException {
        if (parts.controlState().channels().isEmpty()) {
            Settings settings = parts.context().settings();
            TopicNames topics = parts.context().kafka().topics();
            // Without a count, the broker tells all partitions.
            StageProgress broker = parts.progress();
            controlWriter.write(ChannelsBuilder.builder().version(1).generation(Channels.FIRST_GENERATION)
                    .levels(settings.topics().levels())
                    .partitions(broker.ends(topics.requests(Channels.FIRST_GENERATION, 0)).size())
                    .politeness(settings.politenessKey()).responses(broker.ends(topics.responses()).size())
                    .items(broker.ends(topics.items()).size()).ledger(broker.ends(topics.ledger()).size()).build());
        }
    }

    /**
     * Plans a replacement, and begins it unless only the plan is wanted.
     *
     * @param term begins the replacement
     * @param written {@code levels}, {@code partitions}, {@code items}, {@code responses}, {@code ledger} or several,
     * as they came
     * @param planOnly whether nothing is changed
     * @throws io.trawl.coordinator.definition.InvalidDefinitionException with every fault
     * @throws io.trawl.coordinator.channel.ReplacementInProgressException if one is not done yet
     */
    public ReplacementPlan resize(LeaderTerm term, Map<?, ?> written, boolean planOnly) throws InterruptedException {
        Channels now = term.replacement().replaceable();
        TreeMap<String, Integer> wanted = wanted(written);
        int levels = wanted.getOrDefault(LEVELS, now.levels());
        int partitions = wanted.getOrDefault(PARTITIONS, now.partitions());
        int items = wanted.getOrDefault(ITEMS, now.items());
        int responses = wanted.getOrDefault(RESPONSES, now.responses());
        int ledger = wanted.getOrDefault(LEDGER, now.ledger());
        boolean ofRequests = levels != now.levels() || partitions != now.partitions();
        if (!ofRequests && items == now.items() && responses == now.responses() && ledger == now.ledger()) {
            Map.Entry<String, Integer> given = wanted.firstEntry();
            throw new InvalidValueException(given.getKey(), given.getValue().toString(),
                    "another count than the present ones: " + now.partitions() + " partitions and " + now.levels()
                            + " levels of " + "requests, " + now.items() + " partitions of items, " + now.responses()
                            + " of responses and " + now.ledger() + " of the ledger");
        }
        if (ofRequests && responses != now.responses()) {
            throw new InvalidValueException(RESPONSES, Integer.toString(responses), now.responses()
                    + ", as now, or a change of its own: request topics are replaced one change at a time");
        }
        ReplacementPlan plan = ofRequests
                ? plan(now, levels, partitions, items, ledger)
                : ReplacementPlan.ofPartitions(now, items, responses, ledger);
        if (planOnly) {
            return plan;
        }
        if (items != now.items()) {
            term.replacement().partitions().writeItemsTo(items);
        }
        if (ledger != now.ledger()) {
            term.replacement().partitions().writeLedgerTo(ledger);
        }
        if (responses != now.responses()) {
            term.replacement().partitions().writeResponsesTo(responses);
        }
        if (ofRequests) {
            term.replacement().begin(levels, partitions);
        }
        return plan.carriedOut();
    }

    private ReplacementPlan plan(Channels now, int levels, int partitions, int items, int ledger)
            throws InterruptedException {
        Channels next = ChannelsBuilder.builder().version(now.version() + 1).generation(now.generation() + 1)
                .levels(levels).partitions(partitions).politeness(now.politeness()).responses(now.responses())
                .items(items).ledger(ledger).build();
        return ReplacementPlan.of(now, next, Arrays.stream(parts.queue().requests(now)).sum(),
                parts.context().settings().downloader().lease().toSeconds(), waiting);
    }

    private static TreeMap<String, Integer> wanted(Map<?, ?> written) {
        FaultCollector faults = new FaultCollector();
        TreeMap<String, Integer> wanted = new TreeMap<>();
        if (written.isEmpty()) {
            throw new InvalidValueException(PARTITIONS, "",
                    "given, or " + LEVELS + ", " + ITEMS + ", " + RESPONSES + " or " + LEDGER);
        }
        written.forEach((name, value) -> faults.note(() -> count(String.valueOf(name), value))
                .ifPresent(count -> wanted.put(String.valueOf(name), count)));
        faults.check();
        return wanted;
    }

    private static int count(String name, Object value) {
        int most = switch (name) {
            case LEVELS -> Request.MOST_LEVELS;
            case PARTITIONS, ITEMS, RESPONSES -> MOST_PARTITIONS;
            case LEDGER -> MOST_OF_LEDGER;
            default -> throw new InvalidValueException(name, String.valueOf(value),
                    "partitions, levels, items, responses or ledger"
                            + NearestName.hint(name, Stream.of(LEVELS, PARTITIONS, ITEMS, RESPONSES, LEDGER)));
        };
        return Optional.of(value).filter(Integer.class::isInstance).map(Integer.class::cast)
                .filter(n -> n >= 1 && n <= most).orElseThrow(() -> new InvalidValueException(name,
                        String.valueOf(value), "a whole number from 1 to " + most));
    }
}
