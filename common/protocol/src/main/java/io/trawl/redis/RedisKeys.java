package io.trawl.redis;

import io.trawl.model.Sha256;
import io.trawl.control.ControlRecord.KafkaLoss;
import io.trawl.ledger.LogPartition;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.ModuleKind;
import io.trawl.settings.Namespace;
import java.util.List;
import java.util.stream.Stream;

/**
 * The names of keys. Keys of data about Kafka records carry a digest of the cluster's id and of the id of the topic
 * {@code responses}, so that a Redis that outlived its Kafka never returns data about other records. After a loss of
 * records in Kafka they carry its id, too. Redis Cluster places keys by the part in braces: all keys of one call share
 * it. Thread-safe.
 */
final class RedisKeys {
    private final String namespace;
    private final String cluster;
    private final String digest;
    private volatile String incarnation;

    /**
     * @throws io.trawl.model.InvalidValueException if the namespace holds other characters than those of topic names
     */
    private RedisKeys(String namespace, String cluster, String digest) {
        this.namespace = checked(namespace);
        this.cluster = cluster;
        this.digest = digest;
        this.incarnation = digest;
    }

    /**
     * @throws io.trawl.model.InvalidValueException if the namespace holds other characters than those of topic names
     */
    static String checked(String namespace) {
        new Namespace(namespace);
        return namespace;
    }

    static RedisKeys of(String namespace, String clusterId, String responsesTopicId) {
        return new RedisKeys(namespace, digest(clusterId), digest(clusterId + '/' + responsesTopicId));
    }

    private static String digest(String text) {
        return Sha256.hex(text).substring(0, 8);
    }

    /** From here on the keys of facts are those after this loss. */
    void since(KafkaLoss loss) {
        incarnation = digest + '.' + loss.tag();
    }

    String incarnation() {
        return incarnation;
    }

    /** The {@link io.trawl.store.LogEndStore}: it outlives the facts, and topics that are made again. */
    String logEnds() {
        return namespace + "ends:" + cluster;
    }

    /** What processes found lost; not before the last loss that is on record. */
    String lost() {
        return logEnds() + ":" + incarnation;
    }

    /** The epoch of the newest run of each crawl: it outlives the facts, too. */
    String epochs() {
        return namespace + "epochs:" + cluster;
    }

    /** The prefix of the keys of a run's facts with a tag; the bucket's number follows. */
    String ledger(CrawlRun run, int tag) {
        return namespace + "ledger:" + run.crawl() + ":" + run.epoch() + ":" + incarnation + ":{" + tag + "}:";
    }

    /** The prefix of the other keys of a run's facts. */
    String ledger(CrawlRun run) {
        return ledger(run, 0);
    }

    /** What a run has used of the budgets of hosts. */
    String budgets(CrawlRun run) {
        return ledger(run) + "hosts";
    }

    /** The permits to fetch of a run with limits. */
    String permits(CrawlRun run) {
        return ledger(run) + "permits";
    }

    /** The sessions of a run at hosts. */
    String sessions(CrawlRun run) {
        return ledger(run) + "sessions";
    }

    /** The first items of a run by their content. */
    String firstItems(CrawlRun run) {
        return ledger(run) + "first-items";
    }

    /** How the items of a run whose pages are visited again were judged last. */
    String judgedItems(CrawlRun run) {
        return ledger(run) + "judged-items";
    }

    /** What is known of the items of a run, in the order that scripts expect. */
    List<String> items(CrawlRun run) {
        return List.of(firstItems(run), judgedItems(run), similarItems(run));
    }

    /** The items of a run by parts of the hashes of their texts. */
    String similarItems(CrawlRun run) {
        return ledger(run) + "similar-items";
    }

    /** The prefix of the keys of a partition's marks; the block's number follows. */
    String marks(LogPartition partition) {
        return namespace + "marks:" + partition.topic() + ":" + partition.topicId() + ":" + incarnation + ":{"
                + partition.partition() + "}:";
    }

    /** The delivery attempts of a topic. */
    String attempts(String topic) {
        return namespace + "attempts:" + topic + ":" + incarnation;
    }

    String domains(CrawlRun run) {
        return namespace + "domains:" + run.crawl() + ":" + run.epoch() + ":" + incarnation;
    }

    /** The domains that a run accepts for its seeds. */
    String seedDomains(CrawlRun run) {
        return namespace + "domains:seeds:" + run.crawl() + ":" + run.epoch() + ":" + incarnation;
    }

    /** The epoch up to which the runs of each crawl are forgotten. */
    String forgotten() {
        return namespace + "forgotten:" + incarnation;
    }

    /** The robots.txt of a host for a crawler: independent of Kafka, hence without the digest. */
    String robots(HostKey host, String token) {
        return namespace + "robots:" + host + ":" + token;
    }

    /** The {@link io.trawl.store.StoreGeneration}. */
    String storeGeneration() {
        return namespace + "pulse:" + digest;
    }

    /** Patterns that match all keys of a namespace, and none of another one that begins with the same text. */
    static List<String> patterns(String namespace) {
        return Stream.of("ends", "epochs", "ledger", "marks", "attempts", "domains", "forgotten", "robots", "pulse",
                "modules", "stop-signs", "leases", "serials").map(word -> namespace + word + ":*").toList();
    }

    static String modules(String namespace) {
        return namespace + "modules:{0}";
    }

    static String stopSignHistory(String namespace) {
        return namespace + "stop-signs:{0}";
    }

    static String leases(String namespace) {
        return namespace + "leases:{0}";
    }

    static String serials(String namespace, ModuleKind kind) {
        return namespace + "serials:{" + kind.letter() + "}";
    }
}
