package io.trawl.standalone;

import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.embedded.EmbeddedServers;
import io.trawl.embedded.EmbeddedServers.EmbeddedOptions;
import io.trawl.standalone.UpCommand.PortOptions;
import io.trawl.standalone.client.CheckedOptions;
import io.trawl.standalone.client.LogSetup;
import io.trawl.worker.ShutdownRequest;
import io.trawl.standalone.crawl.ShownOnce;
import io.trawl.standalone.text.Terminal;
import io.trawl.worker.Signals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code trawl broker}: runs only Kafka and Redis, for workers in separate processes. */
@Command(name = "broker", sortOptions = false, description = "Run only the embedded Kafka and Redis, for separate processes on this machine.", footerHeading = "%nExample:%n", footer = {
        "  trawl broker --kafka-port 9092 --redis-port 6379", "",
        "Prints the two variables that the other processes need, and runs until SIGTERM or Ctrl-C. Listens on loopback only."})
final class BrokerCommand implements Callable<Integer>, CheckedOptions {
    private static final Duration POLL = Duration.ofMillis(500);

    @Option(names = "--data", paramLabel = "DIR", defaultValue = ".trawl", description = "Where Kafka, Redis and the log are kept. Default: ${DEFAULT-VALUE}.")
    private Path data = Path.of(".trawl");

    @Option(names = "--kafka-port", paramLabel = "PORT", defaultValue = "0", description = "Default: the port of the last run in this folder, or any free one.")
    private int kafkaPort;

    @Option(names = "--redis-port", paramLabel = "PORT", defaultValue = "0", description = "Default: the port of the last run in this folder, or any free one.")
    private int redisPort;

    @Override
    public void check() {
        FaultCollector faults = new FaultCollector();
        faults.note(() -> PortOptions.checked("--kafka-port", kafkaPort));
        faults.note(() -> PortOptions.checked("--redis-port", redisPort));
        faults.check();
    }

    @Override
    public Integer call() throws InterruptedException {
        LogSetup.none();
        Path folder = data.toAbsolutePath().normalize();
        check();
        EmbeddedOptions options = EmbeddedOptions.in(folder).forOthers(kafkaPort, redisPort)
                .telling(Terminal::lastWords);
        LogSetup.into(folder);
        ShutdownRequest stop = new ShutdownRequest();
        Signals.ask(stop, System.err);
        try (EmbeddedServers servers = EmbeddedServers.start(options)) {
            System.out.println("export TRAWL_KAFKA_BOOTSTRAP_SERVERS=" + servers.kafka().bootstrapServers());
            System.out.println("export TRAWL_REDIS_URL=" + servers.redis().url());
            System.out.flush();
            servers.redis().warning().filter(line -> ShownOnce.isNew(folder, line)).ifPresent(System.err::println);
            System.err.println("Kafka and Redis are running on " + folder + "; Ctrl-C stops them");
            boolean stopped = false;
            while (!stopped && !servers.redis().fallen()) {
                stopped = stop.within(POLL);
            }
            if (!stopped) {
                servers.redis().trouble().ifPresent(why -> {
                    throw new IllegalStateException("redis-server has ended: " + why);
                });
                System.err.println("redis-server has ended, and redis.log in " + folder.resolve("redis")
                        + " has the reason: the same command, stopped and started, resumes");
                stop.await();
            }
        }
        return 0;
    }
}
