package io.trawl.redis;

import io.trawl.ledger.LogPartition;
import io.trawl.model.CrawlRun;
import io.trawl.model.HostKey;
import io.trawl.model.ModuleKind;
import io.trawl.model.Namespace;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The names of keys. What speaks about records of Kafka carries a digest of the cluster's id and of the id of the topic {@code responses}, so that
 * a Redis that outlived its Kafka never speaks about records of the new one. A part in braces is what Redis Cluster places keys by: all keys that one call touches share it.
 */
record Keys(String namespace, String incarnation) {
    /** @throws io.trawl.model.InvalidValue if the namespace holds other characters than those of topic names */
    Keys {
        new Namespace(namespace);
    }

    static Keys of(String namespace, String clusterId, String responsesTopicId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((clusterId + '/' + responsesTopicId).getBytes(StandardCharsets.UTF_8));
            return new Keys(namespace, HexFormat.of().formatHex(digest, 0, 4));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** What the keys of a run's facts begin with; the bucket's number follows. */
    String ledger(CrawlRun run) {
        return namespace + "ledger:" + run.crawl() + ":" + run.epoch() + ":" + incarnation + ":{0}:";
    }

    /** What the keys of a partition's marks begin with; the block's number follows. */
    String marks(LogPartition partition) {
        return namespace + "marks:" + partition.topic() + ":" + partition.topicId() + ":" + incarnation + ":{"
                + partition.partition() + "}:";
    }

    /** Who has begun to handle which records of a topic. */
    String attempts(String topic) {
        return namespace + "attempts:" + topic + ":" + incarnation;
    }

    String domains(CrawlRun run) {
        return namespace + "domains:" + run.crawl() + ":" + run.epoch() + ":" + incarnation;
    }

    /** Through which epoch the runs of each crawl are forgotten. */
    String forgotten() {
        return namespace + "forgotten:" + incarnation;
    }

    /** What a host told a crawler: no fact about Kafka, hence without a digest of it. */
    String robots(HostKey host, String token) {
        return namespace + "robots:" + host + ":" + token;
    }

    /** The number that grows while nothing is lost. */
    String pulse() {
        return namespace + "pulse:" + incarnation;
    }

    static String modules(String namespace) {
        return namespace + "modules:{0}";
    }

    static String leases(String namespace) {
        return namespace + "leases:{0}";
    }

    static String serials(String namespace, ModuleKind kind) {
        return namespace + "serials:{" + kind.letter() + "}";
    }
}
