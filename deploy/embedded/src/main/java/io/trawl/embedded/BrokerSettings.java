package io.trawl.embedded;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * The configuration of the embedded broker: one node, small, with a quick restart after a kill and without retention
 * limits.
 */
final class BrokerSettings {
    static final String LOOPBACK = "127.0.0.1";
    static final String CONTROLLER = "CONTROLLER";
    static final int NODE = 1;
    private static final String BROKER = "BROKER";
    private static final int INTERNAL_PARTITIONS = 4;
    private static final int LARGEST_REQUEST = 32 << 20;

    private BrokerSettings() {}

    static Properties of(Path log, int port, int controllerPort) {
        Properties p = new Properties();
        p.put("log.dirs", log.toString());
        oneNode(p, port, controllerPort);
        internalTopics(p);
        quickRestart(p, registered(log));
        quickGroups(p);
        smallMachine(p, Runtime.getRuntime().maxMemory());
        keepData(p);
        flush(p);
        return p;
    }

    private static void oneNode(Properties p, int port, int controllerPort) {
        p.put("process.roles", "broker,controller");
        p.put("node.id", Integer.toString(NODE));
        p.put("listeners",
                BROKER + "://" + LOOPBACK + ":" + port + "," + CONTROLLER + "://" + LOOPBACK + ":" + controllerPort);
        p.put("advertised.listeners", BROKER + "://" + LOOPBACK + ":" + port);
        p.put("listener.security.protocol.map", BROKER + ":PLAINTEXT," + CONTROLLER + ":PLAINTEXT");
        p.put("controller.listener.names", CONTROLLER);
        p.put("inter.broker.listener.name", BROKER);
        p.put("controller.quorum.voters", NODE + "@" + LOOPBACK + ":" + controllerPort);
        p.put("auto.create.topics.enable", "false");
        // No record twice a second that tells other controllers and brokers that this one lives: there are none.
        p.put("metadata.max.idle.interval.ms", "0");
    }

    private static void internalTopics(Properties p) {
        for (String topic : new String[]{"offsets.topic", "transaction.state.log", "share.coordinator.state.topic"}) {
            p.put(topic + ".replication.factor", "1");
            p.put(topic + ".num.partitions", Integer.toString(INTERNAL_PARTITIONS));
        }
        p.put("transaction.state.log.min.isr", "1");
        p.put("share.coordinator.state.topic.min.isr", "1");
    }

    /**
     * With the defaults a start after a kill takes 12 s instead of 3 s: the old registration must expire first, and
     * elections wait. Else it does not matter when a registration expires, since there is no other broker; one that is
     * late for two seconds on a busy machine would lose the leadership of all its partitions for a moment.
     */
    private static void quickRestart(Properties p, boolean registered) {
        p.put("controller.quorum.election.timeout.ms", "150");
        p.put("controller.quorum.election.backoff.max.ms", "100");
        p.put("controller.quorum.fetch.timeout.ms", "500");
        p.put("broker.session.timeout.ms", registered ? "2000" : "60000");
        p.put("broker.heartbeat.interval.ms", "300");
    }

    /** Whether a broker that was killed is still registered: a clean end ends the registration, and leaves a file. */
    private static boolean registered(Path log) {
        return Files.exists(log.resolve("__cluster_metadata-0")) && !Files.exists(log.resolve(".kafka_cleanshutdown"));
    }

    /**
     * The default and minimum session time-out of a group member is 45 s, for which the partitions of a killed process
     * would stay assigned to it.
     */
    private static void quickGroups(Properties p) {
        p.put("group.consumer.session.timeout.ms", "3000");
        p.put("group.consumer.min.session.timeout.ms", "3000");
        p.put("group.consumer.heartbeat.interval.ms", "1000");
        p.put("group.consumer.min.heartbeat.interval.ms", "1000");
        p.put("group.initial.rebalance.delay.ms", "0");
        p.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
    }

    /**
     * Kafka frees the disk space of trimmed records by whole segments, so segments are small, checked often, and
     * deleted soon. The broker shares its heap with the stages.
     */
    private static void smallMachine(Properties p, long heap) {
        p.put("num.network.threads", "2");
        p.put("num.io.threads", "4");
        p.put("log.cleaner.dedupe.buffer.size", Long.toString(Math.clamp(heap / 64, 1 << 20, 16 << 20)));
        p.put("socket.request.max.bytes", Integer.toString(LARGEST_REQUEST));
        p.put("queued.max.request.bytes", Long.toString(Math.max(heap / 8, LARGEST_REQUEST)));
        p.put("log.segment.bytes", Integer.toString(64 << 20));
        p.put("log.retention.check.interval.ms", "30000");
        p.put("log.segment.delete.delay.ms", "10000");
        p.put("message.max.bytes", Integer.toString(LARGEST_REQUEST / 2));
        // No JMX beans.
        p.put("metric.reporters", "");
    }

    private static void keepData(Properties p) {
        p.put("log.retention.ms", "-1");
        p.put("log.retention.bytes", "-1");
        p.put("offsets.retention.minutes", Integer.toString(365 * 24 * 60));
    }

    /**
     * Records are on disk before they are acknowledged. Redis holds facts about them, so a broker whose log ends
     * earlier after a loss of power would contradict them. With more than one broker, the others have the records.
     */
    private static void flush(Properties p) {
        p.put("log.flush.interval.messages", "1");
    }
}
