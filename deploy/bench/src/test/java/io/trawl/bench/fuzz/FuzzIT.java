package io.trawl.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import com.code_intelligence.jazzer.Jazzer;
import io.trawl.testkit.TestJvm;
import io.trawl.testkit.RandomSeed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Fuzzes each target with Jazzer, guided by coverage, in a process of its own, as many at a time as there are cores:
 * {@code -Dfuzz.seconds=3600} for an hour in all. What it learns is kept in {@code target/fuzz} for the next run.
 * {@link KeptInputsTest} is its short form, on every commit.
 */
@Tag("nightly")
class FuzzIT {
    private static final int SECONDS = Integer.getInteger("fuzz.seconds", 60);
    /** An input that takes longer is a fault. The first one loads and instruments all classes. */
    private static final int LONGEST_INPUT_SECONDS = 60;

    @Test
    void noInputBreaksATarget() {
        try (ExecutorService side = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            List<Future<?>> targets = Arrays.stream(FuzzTarget.values()).<Future<?>>map(target -> side.submit(() -> {
                fuzz(target);
                return target;
            })).toList();
            assertAll(targets.stream().map(target -> target::get));
        }
    }

    private static void fuzz(FuzzTarget target) throws IOException, InterruptedException {
        Path folder = Path.of("target/fuzz", target.name()).toAbsolutePath();
        Path learnt = Files.createDirectories(folder.resolve("learnt"));
        Path printed = folder.resolve("printed");
        Process fuzzer = TestJvm
                .of(Jazzer.class,
                        List.of("-Xmx512m", "-XX:+EnableDynamicAgentLoading", "--sun-misc-unsafe-memory-access=allow"),
                        List.of("--target_class=" + target.className(),
                                "--instrumentation_includes=io.trawl.**:org.jsoup.**:crawlercommons.**",
                                "--reproducer_path=" + folder, "-artifact_prefix=" + folder + "/",
                                "-max_total_time=" + Math.max(1, SECONDS / FuzzTarget.values().length),
                                "-timeout=" + LONGEST_INPUT_SECONDS, "-seed=" + (1 + RandomSeed.value()),
                                "-rss_limit_mb=0", learnt.toString(), target.kept().toString()))
                .redirectOutput(printed.toFile()).start();
        try {
            int status = fuzzer.waitFor();
            List<String> lines = Files.readAllLines(printed, StandardCharsets.ISO_8859_1);
            assertThat(status).as("inputs that broke it are in %s; %s", folder,
                    String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()))).isZero();
            lines.stream().filter(line -> line.startsWith("Done "))
                    .forEach(line -> System.out.println(target + ": " + line));
        } finally {
            fuzzer.destroyForcibly();
        }
    }
}
