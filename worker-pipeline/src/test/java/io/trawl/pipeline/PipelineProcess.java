package io.trawl.pipeline;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.trawl.pipeline.process.ProcessorChain;
import io.trawl.pipeline.sink.FaultPoint;
import io.trawl.pipeline.sink.FaultPoint.FaultStep;
import io.trawl.pipeline.sink.SinkFolder.FileOpener;
import io.trawl.settings.Settings;
import io.trawl.testkit.TestJvm;
import io.trawl.time.Time;
import io.trawl.worker.WorkerMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/**
 * A pipeline with {@link Sieve} in a separate JVM that dies ({@link Runtime#halt}, which runs no hooks, like kill -9)
 * or waits for a file right before a step.
 *
 * <p>
 * Arguments: settings as a JSON object, the step, the number of times that the step is passed before, and the file to
 * wait for, unless the process dies.
 */
final class PipelineProcess {
    static final int DIED = 137;

    private PipelineProcess() {}

    static Process start(Path log, Map<String, String> properties, FaultStep faultStep, int passed,
            Optional<Path> until) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of(TestJvm.argument(properties), faultStep.name(), Integer.toString(passed)));
        until.map(Path::toString).ifPresent(arguments::add);
        return TestJvm.of(PipelineProcess.class, List.of(), arguments)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile())).start();
    }

    public static void main(String[] args) throws IOException {
        Settings settings = TestJvm.settings(args[0]);
        FaultStep faultStep = FaultStep.valueOf(args[1]);
        AtomicInteger left = new AtomicInteger(Integer.parseInt(args[2]));
        FaultPoint fault = reached -> {
            if (reached == faultStep && left.getAndDecrement() == 0) {
                if (args.length == 3) {
                    Runtime.getRuntime().halt(DIED);
                }
                await(Path.of(args[3]));
            }
        };
        // Tests wait for what the client says of its membership.
        ((Logger) LoggerFactory.getLogger("org.apache.kafka.clients.consumer.internals")).setLevel(Level.INFO);
        WorkerMain.run(Pipeline.factory(plugins -> new ProcessorChain(List.of(new Sieve())), FileOpener.REAL, fault),
                () -> settings);
    }

    /** Creates a second file to signal that it waits. */
    private static void await(Path file) {
        try {
            Files.createFile(waiting(file));
            while (Files.notExists(file)) {
                Time.system().pause(Duration.ofMillis(20));
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static Path waiting(Path file) {
        return file.resolveSibling(file.getFileName() + ".waiting");
    }
}
