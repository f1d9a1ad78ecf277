package io.trawl.embedded;

import java.nio.file.Path;

/**
 * How the embedded servers run.
 *
 * @param data the folder of everything they keep
 * @param kafkaPort the broker's port, or 0 for the one of the last run or any free one
 * @param redisPort the redis-server's port, likewise
 * @param alone whether all that use the servers live in this JVM, so that what an earlier run has left open is dead and can be ended at start
 * @param closeAtExit whether they close by themselves when the JVM ends; false if the caller closes them, after those who use them
 */
public record EmbeddedOptions(Path data, int kafkaPort, int redisPort, boolean alone, boolean closeAtExit) {
    /** Any ports, alone, closed at exit. */
    public static EmbeddedOptions in(Path data) {
        return new EmbeddedOptions(data, 0, 0, true, true);
    }

    /** The same with the caller in charge of closing. */
    public EmbeddedOptions closedByCaller() {
        return new EmbeddedOptions(data, kafkaPort, redisPort, alone, false);
    }

    /** The same for workers in other processes, which outlive a restart of the servers with their transactions open. */
    public EmbeddedOptions forOthers(int kafka, int redis) {
        return new EmbeddedOptions(data, kafka, redis, false, closeAtExit);
    }
}
