package io.trawl.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.testkit.Repository;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./trawl}, with a program in the place of Java. */
class LauncherTest {
    @TempDir
    Path temp;

    private Path target;

    @BeforeEach
    void build() throws Exception {
        Files.copy(Repository.file("trawl"), temp.resolve("trawl"));
        target = temp.resolve("deploy/standalone/target");
        Files.createDirectories(target.resolve("lib"));
        Files.createFile(target.resolve("trawl-standalone-1.jar"));
        program("jdk/bin/java", "echo \"$@\"");
        Files.writeString(temp.resolve("jdk/release"), "JAVA_VERSION=\"25\"\n");
    }

    private void program(String file, String line) throws Exception {
        Path program = temp.resolve(file);
        Files.createDirectories(program.resolveSibling(""));
        Files.writeString(program, "#!/bin/sh\n" + line + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
    }

    private Process start(String... args) throws Exception {
        ProcessBuilder start = new ProcessBuilder(
                Stream.concat(Stream.of("/bin/sh", temp.resolve("trawl").toString()), Stream.of(args)).toList())
                .redirectErrorStream(true);
        start.environment().clear();
        start.environment().putAll(
                Map.of("PATH", temp.resolve("bin") + ":/usr/bin:/bin", "JAVA_HOME", temp.resolve("jdk").toString()));
        return start.start();
    }

    private static String printed(Process process) throws Exception {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void aServiceWithoutHomeStarts() throws Exception {
        Process process = start("status", "docs");
        assertThat(printed(process)).contains(".jar status docs");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void aHelpIsPrintedAtOnceAndIsNoStartThatIsMadeFaster() throws Exception {
        for (String command : List.of("up", "crawl", "broker")) {
            assertThat(printed(start(command, "--help"))).contains(".jar " + command + " --help")
                    .doesNotContain("preparing", "-Dtrawl.prepare");
        }
        assertThat(target.resolve("started")).doesNotExist();
        assertThat(printed(start("up"))).contains(".jar up");
        assertThat(printed(start("up", "-h"))).doesNotContain("preparing");
        assertThat(printed(start("up"))).as("the second start").contains("preparing faster starts");
    }

    @Test
    void aMistakeIsToldAtOnceAndIsNoStartThatIsMadeFaster() throws Exception {
        program("jdk/bin/java", """
                case "$*" in *-Dtrawl.check=true*--mistyped) echo "Unknown option: '--mistyped'"; exit 2 ;; esac
                echo "$@\"""");
        for (String command : List.of("up", "crawl", "broker")) {
            assertRefused(command);
        }
        assertThat(target.resolve("started")).doesNotExist();
        assertThat(printed(start("up"))).contains(".jar up").doesNotContain("preparing");
        assertRefused("up");
    }

    private void assertRefused(String command) throws Exception {
        Process process = start(command, "--mistyped");
        assertThat(printed(process)).isEqualTo("Unknown option: '--mistyped'\n");
        assertThat(process.waitFor()).isEqualTo(2);
    }

    @Test
    void whatCrawlsInOneJvmIsOptimisedAndWhatOnlyAsksHasASmallCache() throws Exception {
        for (String cache : List.of("start", "brief")) {
            Files.writeString(target.resolve(cache + "-25.aot"), "classes");
        }
        for (String command : List.of("crawl", "up", "replay")) {
            assertThat(printed(start(command))).contains("-Xmx640m", "-XX:+ExitOnOutOfMemoryError", "/start-25.aot")
                    .doesNotContain("TieredStopAtLevel");
        }
        assertThat(printed(start("analyzer"))).contains("-XX:-AOTReplayTraining", "/start-25.aot")
                .doesNotContain("-Xmx640m");
        for (String command : List.of("status", "preview", "help")) {
            assertThat(printed(start(command))).contains("TieredStopAtLevel=1", "/brief-25.aot")
                    .doesNotContain("OutOfMemory");
        }
    }

    @Test
    void whoWaitsForAnotherBuildIsToldWhose() throws Exception {
        Files.delete(target.resolve("trawl-standalone-1.jar"));
        program("bin/mvn", "exit 1");
        Path lock = Files.createDirectories(temp.resolve("target/building"));
        Path pid = Files.writeString(lock.resolve("pid"), ProcessHandle.current().pid() + "\n");
        Process process = start("status");
        BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        assertThat(lines.readLine()).startsWith("waiting for process " + ProcessHandle.current().pid())
                .contains(lock.toString());
        Files.delete(pid);
        Files.delete(lock);
        assertThat(lines.lines().collect(Collectors.joining("\n"))).doesNotContain("waiting")
                .contains("the build failed");
    }
}
