package io.trawl.channel;

import io.trawl.control.Channels;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.settings.Namespace;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The names of a deployment's topics, groups and transactional ids: all begin with its namespace.
 *
 * @param namespace a prefix of 1 to 64 characters of {@code a-z A-Z 0-9 . _ -}, usually {@code trawl.}
 * @param since what the groups of coordinators, downloaders and analyzers end with since the last loss in Kafka: they
 * begin at the start of their logs, and what others have committed does not count. The names of files have offsets, so
 * the groups of pipelines stay
 */
public record TopicNames(String namespace, String since) {
    /** @throws io.trawl.model.InvalidValueException if the namespace cannot begin a topic's name */
    public TopicNames {
        new Namespace(namespace);
    }

    /** The names of a deployment in which Kafka has lost nothing. */
    public TopicNames(String namespace) {
        this(namespace, "");
    }

    /** The names since a loss in Kafka. */
    public TopicNames after(Optional<KafkaLoss> loss) {
        return new TopicNames(namespace, loss.map(known -> "." + known.tag()).orElse(""));
    }

    /** The id of the loss in Kafka since which these names hold; 0 if there was none. */
    public long lossId() {
        return since.isEmpty() ? 0 : Long.parseUnsignedLong(since.substring(1), 16);
    }

    /** Seeds, written by users and the coordinator. One partition. */
    public String seeds() {
        return namespace + "seeds";
    }

    /** The requests of one priority in one generation; names are never used twice. */
    public String requests(int generation, int priority) {
        return namespace + "requests.g" + generation + ".p" + priority;
    }

    /** The requests of all priorities of a generation, by priority. */
    public List<String> requests(Channels channels) {
        return IntStream.range(0, channels.levels()).mapToObj(p -> requests(channels.generation(), p)).toList();
    }

    /** The topics whose records the facts in Redis rest on. */
    public List<String> ofFacts(Optional<Channels> channels) {
        return Stream
                .concat(Stream.of(control(), seeds(), responses(), items(), ledger(), positions(), visits()), channels
                        .stream().flatMap(known -> known.waiting().stream()).flatMap(of -> requests(of).stream()))
                .toList();
    }

    /** All topics that a deployment has while its request topics are these. */
    public List<String> all(Optional<Channels> channels) {
        return Stream.concat(ofFacts(channels).stream(), Stream.of(errors(), events(), changes(), snapshots()))
                .toList();
    }

    /** Whether this is the name of a request topic, of any generation. */
    public boolean isRequests(String topic) {
        return topic.startsWith(namespace + "requests.g");
    }

    /** The generation of a request topic, taken from its name. */
    public int generation(String requestTopic) {
        return Integer
                .parseInt(requestTopic.substring((namespace + "requests.g").length(), requestTopic.lastIndexOf(".p")));
    }

    /** The priority of a request topic, taken from its name. */
    public int priority(String requestTopic) {
        return Integer.parseInt(requestTopic.substring(requestTopic.lastIndexOf(".p") + 2));
    }

    /** One record per answered request: raw body, everything else in a header. */
    public String responses() {
        return namespace + "responses";
    }

    /** The items to store. */
    public String items() {
        return namespace + "items";
    }

    /** The result of each transaction: the source of all totals. */
    public String ledger() {
        return namespace + "ledger";
    }

    /** The next visits of pages, in the order in which they were answered. One partition. */
    public String visits() {
        return namespace + "visits";
    }

    /** The sums of the ledger up to some offsets. One partition, compacted. */
    public String snapshots() {
        return namespace + "snapshots";
    }

    /** Errors, for people. */
    public String errors() {
        return namespace + "errors";
    }

    /** The events of crawls. One partition. */
    public String events() {
        return namespace + "events";
    }

    /** The events of pages: what refreshes have found. One partition. */
    public String changes() {
        return namespace + "changes";
    }

    /** What groups have committed: the latest of each partition. One partition, compacted. */
    public String positions() {
        return namespace + "positions";
    }

    /** The leader's commands. One partition, compacted. */
    public String control() {
        return namespace + "control";
    }

    /** Whether this is the name of a topic of the deployment. */
    public boolean owns(String topic) {
        return isRequests(topic) || all(Optional.empty()).contains(topic);
    }

    /** Whether this is the name of a group of the deployment, also of one from before a loss in Kafka. */
    public boolean ownsGroup(String group) {
        return group.startsWith(namespace) && group.substring(namespace.length())
                .matches("(coordinator|downloader|analyzer)(\\.[0-9a-f]{1,16})?|pipeline|archive|webhooks");
    }

    /** The consumer group of the coordinators; the member that is assigned the seeds is the leader. */
    public String coordinatorGroup() {
        return namespace + "coordinator" + since;
    }

    /** The consumer group of the downloaders. */
    public String downloaderGroup() {
        return namespace + "downloader" + since;
    }

    /** The consumer group of the analyzers. */
    public String analyzerGroup() {
        return namespace + "analyzer" + since;
    }

    /** The consumer group of the pipelines. */
    public String pipelineGroup() {
        return namespace + "pipeline";
    }

    /** The consumer group of the pipelines that archive responses, while a crawl has an archive. */
    public String archiveGroup() {
        return namespace + "archive";
    }

    /** The group whose offsets say which events were delivered to webhooks; it has no members. */
    public String webhookGroup() {
        return namespace + "webhooks";
    }

    /**
     * The one transactional id under which the leader writes {@code control} and admits seeds: initialising it fences
     * the old leader.
     */
    public String coordinatorTransactions() {
        return namespace + "coordinator";
    }

    /** The transactional id of one analyzer process. */
    public String analyzerTransactions(String instance) {
        return namespace + "analyzer." + instance;
    }

    /** The transactional id under which one pipeline process archives. */
    public String archiveTransactions(String instance) {
        return namespace + "archive." + instance;
    }

    /**
     * The one transactional id under which a leader forwards requests from replaced topics: initialising it fences the
     * leader before.
     */
    public String replacementTransactions() {
        return namespace + "replacement";
    }

    /**
     * The one transactional id under which a leader promotes visits: initialising it fences the leader before.
     */
    public String refreshTransactions() {
        return namespace + "refresh";
    }

    /** The transactional id of one pipeline process. */
    public String pipelineTransactions(String instance) {
        return namespace + "pipeline." + instance;
    }
}
