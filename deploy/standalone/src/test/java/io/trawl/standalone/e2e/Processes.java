package io.trawl.standalone.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.trawl.testkit.Repository;
import io.trawl.testkit.StartCache;
import io.trawl.testkit.TestTimeouts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Processes started from the shipped jars, as docs/cli.md says: {@code java -jar}, configured by environment. */
final class Processes implements AutoCloseable {
    private static final int LAST_LINES = 30;
    private final Path logs;
    /** With the file of its output. */
    private final Map<Process, Path> started = new LinkedHashMap<>();

    /** @param logs a folder for the output of the processes */
    Processes(Path logs) {
        this.logs = logs;
    }

    /** Starts the jar of a module, for example {@code worker-downloader}. */
    Process start(String module, Map<String, String> environment, String... arguments) {
        return start(module.replace('/', '-'), jar(module), environment, arguments);
    }

    /** Starts a process of a fleet, as {@code trawl downloader} does; its log has the name of the command. */
    Process member(String command, Map<String, String> environment) {
        return start(command, jar("deploy/standalone"), environment, command);
    }

    /** Starts a jar. */
    Process start(Path jar, String... arguments) {
        return start("jar", jar, Map.of(), arguments);
    }

    private Process start(String name, Path jar, Map<String, String> environment, String... arguments) {
        List<String> command = new ArrayList<>(StartCache.JAVA);
        if (StartCache.serves(jar)) {
            command.addAll(StartCache.options(jar));
        }
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(List.of(arguments));
        Path log = logs.resolve(name + "-" + started.size() + ".log");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            started.put(process, log);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The jar of a module. */
    static Path jar(String module) {
        try (Stream<Path> files = Files.list(Repository.ROOT.resolve(module).resolve("target"))) {
            return files
                    .filter(f -> f.getFileName().toString().matches("trawl-[a-z]+-[0-9].*\\.jar")
                            && !f.toString().contains("tests"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no jar of " + module + ": run mvn package first"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The output of the processes, for the message of a failed test. */
    String printed() {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(logs)) {
            for (Path file : files.sorted().toList()) {
                all.append("== ").append(file.getFileName()).append('\n').append(read(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all.toString();
    }

    /** Fails if a process has ended, with its exit status and its last lines. */
    void checkRunning(Process process) {
        if (!process.isAlive()) {
            fail("ended with %d: %s", process.exitValue(), lastLines(process, LAST_LINES));
        }
    }

    /** The name of a process's log, and its last lines. */
    String lastLines(Process process, int most) {
        Path log = requireNonNull(started.get(process));
        List<String> lines = read(log).lines().toList();
        return "== " + log.getFileName() + "\n"
                + String.join("\n", lines.subList(Math.max(0, lines.size() - most), lines.size()));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Asks a process to stop, as a container engine does, and returns its exit status. A JVM that does not run Trawl
     * yet would just end.
     */
    int terminate(Process process) throws InterruptedException {
        await().until(() -> Files.size(requireNonNull(started.get(process))) > 0 || !process.isAlive());
        process.destroy();
        assertThat(process.waitFor(TestTimeouts.LIMIT)).as("ends after SIGTERM").isTrue();
        return process.exitValue();
    }

    @Override
    public void close() throws InterruptedException {
        started.keySet().forEach(Process::destroyForcibly);
        for (Process process : started.keySet()) {
            process.waitFor(10, TimeUnit.SECONDS);
        }
    }
}
