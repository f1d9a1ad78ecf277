package io.trawl.embedded;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Exit;
import org.jspecify.annotations.Nullable;

/**
 * How a broker ends its JVM when it cannot go on, for instance when it can no longer write to its folder. Kafka does
 * that without a word and without shutdown hooks, which would wait for the broker; here it names the cause first.
 * Nothing is lost: whatever was acknowledged is on the disk.
 */
final class BrokerEnd {
    /** The exit status: the same command resumes. */
    static final int STATUS = 1;
    private final DataDisk disk;
    private final Consumer<String> say;

    /**
     * @param folder where the broker writes
     * @param say receives the one line, on any thread
     */
    BrokerEnd(Path folder, Consumer<String> say) {
        this.disk = new DataDisk(folder);
        this.say = say;
    }

    /**
     * From now on every end of Kafka's own in this JVM is reported. In a JVM with several brokers, by the one that
     * started last.
     */
    void report() {
        Exit.setHaltProcedure(this::end);
        Exit.setExitProcedure(this::end);
    }

    private synchronized void end(int status, @Nullable String message) {
        String why = disk.trouble()
                .orElseGet(() -> Optional.ofNullable(message)
                        .orElse("it found a fault in " + disk.folder() + ", which the log names")
                        + "; the same command resumes from here");
        say.accept("the embedded Kafka broker has ended: " + why);
        Runtime.getRuntime().halt(STATUS);
    }
}
