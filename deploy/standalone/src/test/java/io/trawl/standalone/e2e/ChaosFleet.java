package io.trawl.standalone.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.coordinator.NamespaceReset;
import io.trawl.coordinator.NamespaceReset.NamespaceInUseException;
import io.trawl.settings.SettingsReader;
import io.trawl.time.Time;
import io.trawl.standalone.client.CoordinatorClient;
import io.trawl.standalone.client.CoordinatorUnavailableException;
import io.trawl.testkit.FreePort;
import io.trawl.testkit.KafkaCluster;
import java.io.IOException;
import java.util.Set;
import java.util.HashSet;
import java.nio.file.StandardOpenOption;
import java.nio.channels.FileChannel;
import java.io.File;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A broker with its Redis and some of each process, every one a JVM of its own, with methods to kill and stop them. Not
 * thread-safe.
 */
final class ChaosFleet implements AutoCloseable {
    /** The kinds of processes, named like their commands. */
    enum Kind {
        COORDINATOR, DOWNLOADER, ANALYZER, PIPELINE
    }

    /** Of Debian's package; the tests of every commit do not need it. */
    static final Path FAKETIME = Path.of("/usr/lib",
            System.getProperty("os.arch").replace("amd64", "x86_64") + "-linux-gnu", "faketime", "libfaketime.so.1");
    private static final int LAST_LINES = 8;
    private static final int MOST_LINES = 1000;
    private final Path folder;
    private final Processes processes;
    private final int kafkaPort = FreePort.find();
    private final int redisPort = FreePort.find();
    private final List<Member> members = new ArrayList<>();
    private final Map<String, String> settings;
    private final String bootstrapServers;
    private final HttpClient http = HttpClient.newHttpClient();
    private Process broker;
    private final String redisUrl;

    /** A process of the fleet; {@code port} is the one it answers on. */
    private record Member(Kind kind, Process process, int port) {}

    /**
     * @param each how many processes of each kind
     * @param settings more environment of every process
     */
    ChaosFleet(Path folder, int each, Map<String, String> settings) throws IOException {
        this(folder, each, settings, Optional.empty());
    }

    /** @param other brokers of which the fleet uses these, and its own broker only for Redis */
    ChaosFleet(Path folder, int each, Map<String, String> settings, Optional<KafkaCluster> other) throws IOException {
        this.folder = folder;
        this.settings = settings;
        this.bootstrapServers = other.map(KafkaCluster::bootstrapServers).orElse("127.0.0.1:" + kafkaPort);
        this.processes = new Processes(Files.createDirectories(folder.resolve("logs")));
        this.broker = startBroker();
        this.redisUrl = printedUrl();
        for (int i = 0; i < each; i++) {
            for (Kind kind : Kind.values()) {
                start(kind);
            }
        }
    }

    private Process startBroker() {
        return processes.start("deploy/standalone", Map.of(), "broker", "--data", folder.resolve("data").toString(),
                "--kafka-port", Integer.toString(kafkaPort), "--redis-port", Integer.toString(redisPort));
    }

    /** With the password, which stays the same when the broker is started again. */
    private String printedUrl() {
        Pattern line = Pattern.compile("TRAWL_REDIS_URL=(\\S+)");
        return Awaitility.await()
                .until(() -> line.matcher(processes.printed()).results().findFirst(), Optional::isPresent).orElseThrow()
                .group(1);
    }

    /** Starts one more. */
    void start(Kind kind) {
        start(kind, Map.of());
    }

    private Member start(Kind kind, Map<String, String> more) {
        int port = FreePort.find();
        Map<String, String> environment = new HashMap<>(Map.of("TRAWL_KAFKA_BOOTSTRAP_SERVERS", bootstrapServers(),
                "TRAWL_REDIS_URL", redisUrl, "TRAWL_OUT", out().toString(), "TRAWL_ALLOW_NETWORK", "127.0.0.0/8",
                "TRAWL_HTTP_PORT", Integer.toString(port)));
        environment.putAll(settings);
        environment.putAll(more);
        Member member = new Member(kind, processes.member(kind.name().toLowerCase(Locale.ROOT), environment), port);
        members.add(member);
        return member;
    }

    /** One more has a clock that is two hours ahead, for a while; then {@code kill -9}. Needs libfaketime. */
    String wrongClock(Kind kind, Duration lasts) throws InterruptedException {
        Member wrong = start(kind, Map.of("LD_PRELOAD", FAKETIME.toString(), "FAKETIME", "+2h",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1", "NO_FAKE_STAT", "1"));
        Time.system().pause(lasts);
        processes.checkRunning(wrong.process());
        members.remove(wrong);
        wrong.process().destroyForcibly().waitFor();
        return "one more " + kind + " had a clock two hours ahead";
    }

    /** Where the brokers answer. */
    String bootstrapServers() {
        return bootstrapServers;
    }

    /** Where the output is. */
    Path out() {
        return folder.resolve("pages");
    }

    /** {@code kill -9}, and another one is started. */
    String kill(Kind kind, Random random) throws InterruptedException {
        String killed = lose(kind, random);
        start(kind);
        return killed;
    }

    /** {@code kill -9}. */
    String lose(Kind kind, Random random) throws InterruptedException {
        Member victim = remove(kind, random);
        victim.process().destroyForcibly().waitFor();
        return "killed " + kind + " " + victim.process().pid();
    }

    /** SIGTERM, and another one is started at once: the old one must end by itself with status 0. */
    String terminate(Kind kind, Random random) throws InterruptedException {
        Member victim = remove(kind, random);
        start(kind);
        assertThat(processes.terminate(victim.process()))
                .as("exit status of %s %d after SIGTERM", kind, victim.process().pid()).isZero();
        return "terminated " + kind + " " + victim.process().pid();
    }

    /** SIGSTOP; SIGCONT comes with {@link #wake}. */
    Process pause(Kind kind, Random random) throws IOException, InterruptedException {
        List<Member> candidates = members.stream().filter(m -> m.kind() == kind).toList();
        Process victim = candidates.get(random.nextInt(candidates.size())).process();
        signal("STOP", victim.pid());
        return victim;
    }

    /** Where a process of the fleet answers, as in its MID. */
    String address(Process process) {
        return members.stream().filter(m -> m.process().equals(process)).map(m -> "127.0.0.1:" + m.port()).findFirst()
                .orElseThrow();
    }

    /** Where a coordinator answers. */
    URI coordinator() {
        return members.stream().filter(m -> m.kind() == Kind.COORDINATOR).findFirst()
                .map(m -> URI.create("http://127.0.0.1:" + m.port())).orElseThrow();
    }

    /** SIGCONT. */
    void wake(Process paused) throws IOException, InterruptedException {
        signal("CONT", paused.pid());
    }

    /**
     * {@code kill -9} to the broker; its Redis goes down with the start of the next one, and comes back with its data.
     */
    String killBroker() throws InterruptedException {
        long pid = broker.pid();
        broker.destroyForcibly().waitFor();
        broker = startBroker();
        return "killed the broker " + pid;
    }

    /** How long the logs of all partitions are now. */
    Map<Path, Long> logs() throws IOException {
        Map<Path, Long> lengths = new HashMap<>();
        try (Stream<Path> files = Files.find(folder.resolve("data"), 6,
                (file, _) -> file.toString().matches(".*-[0-9]+/[0-9]+\\.log"))) {
            for (Path file : files.toList()) {
                lengths.put(file, Files.size(file));
            }
        }
        return lengths;
    }

    /**
     * {@code kill -9} to the broker, as by a loss of power before the disk had the last records: the logs are as long
     * as they were.
     *
     * @return the partitions whose logs have become shorter
     */
    List<String> cutLogs(Map<Path, Long> former) throws IOException, InterruptedException {
        broker.destroyForcibly().waitFor();
        List<String> cut = new ArrayList<>();
        for (Map.Entry<Path, Long> log : former.entrySet()) {
            File file = log.getKey().toFile();
            if (file.length() > log.getValue()) {
                for (String index : List.of(".index", ".timeindex", ".txnindex")) {
                    Files.deleteIfExists(Path.of(file.getPath().replace(".log", index)));
                }
                try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.WRITE)) {
                    channel.truncate(log.getValue());
                }
                cut.add(requireNonNull(log.getKey().getParent()).getFileName().toString());
            }
        }
        broker = startBroker();
        return cut;
    }

    /** Stops all processes, deletes what the deployment has in Kafka and Redis, and starts as many again. */
    String clear() throws IOException, InterruptedException {
        List<Kind> kinds = members.stream().map(Member::kind).toList();
        for (Member member : members) {
            processes.terminate(member.process());
        }
        members.clear();
        Set<String> killed = new HashSet<>();
        try (NamespaceReset reset = NamespaceReset.open(
                SettingsReader
                        .from(Map.of("trawl.kafka.bootstrap-servers", bootstrapServers(), "trawl.redis.url", redisUrl)),
                Time.system())) {
            Awaitility.await().until(() -> cleared(reset, killed));
        }
        kinds.forEach(this::start);
        return "cleared the namespace";
    }

    /** Killed processes have not said that they end: the refusal names them. */
    private static boolean cleared(NamespaceReset reset, Set<String> killed) throws InterruptedException {
        try {
            reset.clear(killed);
            return true;
        } catch (NamespaceInUseException e) {
            Pattern.compile("--gone (\\S+)").matcher(String.valueOf(e.getMessage())).results()
                    .forEach(named -> killed.addAll(List.of(named.group(1).split(","))));
            return false;
        }
    }

    /**
     * {@code kill -9} to the redis-server, which is started again on its folder. A broker that starts would start
     * another one.
     */
    String killRedis() throws IOException, InterruptedException {
        Awaitility.await().until(() -> processes.lastLines(broker, MOST_LINES).contains("are running"));
        assertThat(signalRedis("KILL")).isZero();
        // The port of a killed process is free a moment later.
        Awaitility.await().pollInterval(Duration.ofMillis(10)).until(() -> !redisListens());
        Path config = folder.resolve("data").resolve("redis").resolve("redis.conf");
        new ProcessBuilder("redis-server", config.toString()).directory(requireNonNull(config.getParent()).toFile())
                .redirectErrorStream(true).redirectOutput(folder.resolve("logs").resolve("redis.log").toFile()).start();
        Awaitility.await().until(this::redisListens);
        return "killed Redis";
    }

    private boolean redisListens() {
        try (Socket _ = new Socket("127.0.0.1", redisPort)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** SIGSTOP to the broker: connections stay open without any response. */
    void stallBroker() throws IOException, InterruptedException {
        signal("STOP", broker.pid());
    }

    /** SIGCONT to the broker. */
    void resumeBroker() throws IOException, InterruptedException {
        signal("CONT", broker.pid());
    }

    /** SIGSTOP to the redis-server. */
    void stallRedis() throws IOException, InterruptedException {
        assertThat(signalRedis("STOP")).isZero();
    }

    /** SIGCONT to the redis-server. */
    void resumeRedis() throws IOException, InterruptedException {
        assertThat(signalRedis("CONT")).isZero();
    }

    /** By its process title, which {@code ProcessHandle} does not show. @return 0 if there was one */
    private int signalRedis(String signal) throws IOException, InterruptedException {
        return new ProcessBuilder("pkill", "-" + signal, "-f", "redis-server.*:" + redisPort).start().waitFor();
    }

    /** The statuses of {@code /health/ready} of the processes of a kind, 0 for one that does not answer. */
    List<Integer> ready(Kind kind) {
        return members.stream().filter(m -> m.kind() == kind).map(m -> {
            HttpRequest ask = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + m.port() + "/health/ready"))
                    .timeout(Duration.ofSeconds(5)).build();
            try {
                return http.send(ask, BodyHandlers.discarding()).statusCode();
            } catch (IOException e) {
                return 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return 0;
            }
        }).toList();
    }

    /** What the processes have logged so far, without the broker. */
    Map<String, List<String>> printed() throws IOException {
        Map<String, List<String>> logs = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder.resolve("logs"))) {
            for (Path file : files.filter(f -> !f.getFileName().toString().startsWith("deploy-")).toList()) {
                logs.put(file.getFileName().toString(), Files.readAllLines(file));
            }
        }
        return logs;
    }

    private static void signal(String signal, long pid) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start().waitFor()).isZero();
    }

    private Member remove(Kind kind, Random random) {
        List<Member> candidates = members.stream().filter(m -> m.kind() == kind).toList();
        Member victim = candidates.get(random.nextInt(candidates.size()));
        members.remove(victim);
        return victim;
    }

    /** Asks coordinators, one after the other, until one answers. */
    <T> T ask(Question<T> question) {
        return Awaitility.await().pollInterval(Duration.ofMillis(200))
                .until(() -> firstAnswer(question), answers -> !answers.isEmpty()).getFirst();
    }

    /** Asks each coordinator once; empty if none answers now. */
    <T> Optional<T> glance(Question<T> question) throws InterruptedException {
        return firstAnswer(question).stream().findFirst();
    }

    private <T> List<T> firstAnswer(Question<T> question) throws InterruptedException {
        for (Member member : members) {
            if (member.kind() == Kind.COORDINATOR) {
                try (CoordinatorClient client = new CoordinatorClient(
                        URI.create("http://127.0.0.1:" + member.port()))) {
                    return List.of(question.ask(client));
                } catch (CoordinatorUnavailableException e) {
                    // The next one may know.
                }
            }
        }
        return List.of();
    }

    /** A call of a coordinator. */
    @FunctionalInterface
    interface Question<T> {
        T ask(CoordinatorClient client) throws InterruptedException;
    }

    /** Fails if a process has ended although the test has not ended it, with its last lines. */
    void checkRunning() {
        processes.checkRunning(broker);
        members.forEach(member -> processes.checkRunning(member.process()));
    }

    /** Of all processes that should run. */
    String lastLines() {
        return members.stream().map(member -> processes.lastLines(member.process(), LAST_LINES))
                .collect(Collectors.joining("\n"));
    }

    @Override
    public void close() throws InterruptedException, IOException {
        try (http; processes) {
            signalRedis("KILL");
        }
    }
}
