package io.trawl.bench.fleet;

import io.trawl.bench.fleet.Usage.UsageReader;
import io.trawl.time.PeriodicTask;
import io.trawl.time.Time;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A process of a benchmark with its children (the embedded broker starts a redis-server). A thread samples their
 * resource usage every 100 ms, since it cannot be read after a process has ended. Thread-safe.
 */
public final class BenchProcess implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);
    private final String name;
    private final Process process;
    private final Path printed;
    private final Path errors;
    private final Map<ProcessHandle, Usage> usage = new ConcurrentHashMap<>();
    private final PeriodicTask watch;

    private BenchProcess(String name, Process process, Path printed, Path errors, Time time) {
        this.name = name;
        this.process = process;
        this.printed = printed;
        this.errors = errors;
        // An interrupted benchmark leaves no running processes.
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroy));
        this.watch = new PeriodicTask("usage-" + name, INTERVAL, time, this::read);
        watch.start();
    }

    /**
     * Starts the jar of a module, for example {@code worker-downloader}.
     *
     * @param options of the JVM, for example {@code -Xmx512m}
     * @param environment overrides variables of this process
     * @param logs the folder for the output
     */
    public static BenchProcess start(String name, String module, List<String> options, Map<String, String> environment,
            Path logs, Time time, String... arguments) {
        return start(name, java(options, List.of("-jar", Checkout.jar(module).toString()), arguments), environment,
                logs, time);
    }

    /**
     * Starts a command of the benchmarks with the options of the JVM, and the cache of classes, that
     * {@code ./trawl crawl} has.
     */
    public static BenchProcess startLikeCrawl(String name, Path logs, Time time, String... arguments) {
        List<String> options = new ArrayList<>(Checkout.optionsOfOneJvm());
        options.addAll(
                List.of("-XX:AOTCache=" + Checkout.classCache(), "-Xlog:aot=off", "-Xlog:aot*=off", "-Xlog:cds=off"));
        String classPath = Checkout.jar("deploy/standalone") + File.pathSeparator + Checkout.jar("deploy/bench");
        return start(name, java(options, List.of("-cp", classPath, "io.trawl.bench.Bench"), arguments), Map.of(), logs,
                time);
    }

    private static List<String> java(List<String> options, List<String> program, String... arguments) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(program);
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * Runs {@code ./trawl} with arguments and further variables of the environment, as a user does: with the options of
     * the JVM and the cache that it chooses.
     */
    public static BenchProcess launch(String name, Map<String, String> environment, Path logs, Time time,
            String... arguments) {
        List<String> command = new ArrayList<>(List.of(Checkout.launcher().toString()));
        command.addAll(List.of(arguments));
        return start(name, command, environment, logs, time);
    }

    private static BenchProcess start(String name, List<String> command, Map<String, String> environment, Path logs,
            Time time) {
        Path printed = logs.resolve(name + ".out");
        Path errors = logs.resolve(name + ".err");
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(printed.toFile())
                .redirectError(errors.toFile());
        builder.environment().putAll(environment);
        builder.environment().put("JAVA_TOOL_OPTIONS", GcLog.option(logs, name));
        try {
            Files.createDirectories(logs);
            return new BenchProcess(name, builder.start(), printed, errors, time);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        UsageReader.of(process.toHandle()).ifPresent(used -> usage.put(process.toHandle(), used));
        process.descendants().forEach(child -> UsageReader.of(child).ifPresent(used -> usage.put(child, used)));
    }

    /** The name given at the start. */
    public String name() {
        return name;
    }

    /** The resource usage of the process and its children, so far or until their end. */
    public Usage usage() {
        read();
        return usage.values().stream().reduce(Usage.NONE, Usage::and);
    }

    /** The process's standard output so far. */
    public String printed() {
        return read(printed);
    }

    /** The last line of the process's standard error so far; empty if there is none. */
    public String lastError() {
        return read(errors).lines().reduce("", (_, line) -> line);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether the process runs. */
    public boolean alive() {
        return process.isAlive();
    }

    /** Waits for the end of the process; returns its exit status. */
    public int await() throws InterruptedException {
        return process.waitFor();
    }

    /** Sends SIGTERM, like a container engine, and waits; kills the process after a minute. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_TIMEOUT)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            watch.close();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
