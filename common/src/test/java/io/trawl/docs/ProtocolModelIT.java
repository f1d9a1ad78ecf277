package io.trawl.docs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.trawl.testkit.RandomSeed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the simulators of the protocol, docs/model. {@code -Dtrawl.model.seconds} sets the duration of random runs;
 * without {@code python3} these tests are skipped, or fail with {@code -Dtrawl.model=required}.
 */
class ProtocolModelIT {
    private static final int HAZARDS = 6;
    private static final int SECONDS_IN_ALL = Integer.getInteger("trawl.model.seconds", 6);
    private static final int LIVES = Math.max(300, 20 * SECONDS_IN_ALL);

    private record Run(int status, String output) {}

    @BeforeAll
    static void needsPython() throws InterruptedException {
        try {
            assertThat(new ProcessBuilder("python3", "--version").start().waitFor()).isZero();
        } catch (IOException e) {
            String reason = "docs/model needs python3 on the PATH: " + e.getMessage();
            if (System.getProperty("trawl.model", "").equals("required")) {
                fail(reason);
            }
            abort(reason);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--resize --flaky --forget", "--loss --depth --requisites", "--kafka --requisites",
            "--kafka --late",
            "--loss --depth --requisites --resize --flaky --alias --moves --stragglers --outputs --responses"})
    void noKillLosesOrRepeatsARequestOrFinishesACrawlEarly(String hazards) throws Exception {
        Run run = simulate("sim.py facts", hazards, "--from " + RandomSeed.value(),
                "--seeds 1000000 --show 5 --seconds " + SECONDS_IN_ALL / HAZARDS);

        System.out.print(run.output());
        assertThat(run.output()).contains("seeds " + RandomSeed.value() + "..", "failing 0");
        assertThat(run.status()).as(run.output()).isZero();
    }

    @Test
    void allReadersOfTheLedgerComeToTheSameSumsWhileItsPartitionsChange() throws Exception {
        Run run = simulate("ledger.py", "--seeds 500 --from " + RandomSeed.value());

        System.out.print(run.output());
        assertThat(run.output()).contains("seeds " + RandomSeed.value() + "..", "failing 0");
        assertThat(run.status()).as(run.output()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep", "close", "place", "serial", "count", "note"})
    void theSimulatorDetectsALedgerThatLacksARule(String rule) throws Exception {
        Run run = simulate("ledger.py", "--seeds 50 --from 0 --off " + rule);

        assertThat(run.output()).doesNotContain("failing 0");
        assertThat(run.status()).as(run.output()).isOne();
    }

    @Test
    void noDomainOfAnAdmittedSeedIsRefusedWhateverRedisLoses() throws Exception {
        Run run = simulate("domains.py", "--seeds 100 --from " + RandomSeed.value());

        System.out.print(run.output());
        assertThat(run.output()).contains("seeds " + RandomSeed.value() + "..", "failing 0");
        assertThat(run.status()).as(run.output()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"commit --from 180", "version", "before", "ledger"})
    void theSimulatorDetectsDomainsThatLackARule(String rule) throws Exception {
        Run run = simulate("domains.py", "--seeds 20 --off " + rule);

        assertThat(run.output()).doesNotContain("failing 0");
        assertThat(run.status()).as(run.output()).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--depth ", "--kafka "})
    void aRefreshVisitsEveryPageOfTheRunBeforeOnceAndTellsEachChangeOnce(String depth) throws Exception {
        Run run = simulate("visits.py", depth + "--seeds " + LIVES + " --from " + RandomSeed.value());

        System.out.print(run.output());
        assertThat(run.output()).contains("seeds " + RandomSeed.value() + "..", "failing 0");
        assertThat(run.status()).as(run.output()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"before", "after --from 5", "stored --from 22", "limit --from 14", "ends --from 36",
            "open --from 4652", "start", "known --from 1", "sameid", "emitted", "run", "fence --from 11", "trim",
            "carry", "own --from 196", "asked --from 3", "near --depth --from 82", "whole --depth --from 82",
            "keeps --depth --from 162", "plain --kafka --from 24", "again --kafka --from 17", "by --kafka --from 17",
            "repair --kafka --from 58", "early --kafka --from 66", "there --kafka --from 3556",
            "keep --kafka --from 3273"})
    void theSimulatorDetectsARefreshThatLacksARule(String rule) throws Exception {
        Run run = simulate("visits.py", "--seeds 3 --off " + rule);

        assertThat(run.output()).doesNotContain("failing 0");
        assertThat(run.status()).as(run.output()).isOne();
    }

    @Test
    void eachContentOfAPageIsStoredOnceByRefreshesThoughPagesTakeEachOthersContents() throws Exception {
        Run run = simulate("unique.py", "--seeds 300 --from " + RandomSeed.value());

        System.out.print(run.output());
        assertThat(run.output()).contains("seeds " + RandomSeed.value() + "..", "failing 0");
        assertThat(run.status()).as(run.output()).isZero();
    }

    @Test
    void noFactIsLostWhereHashesSplitWhileProcessesLearnCopyAndDelete() throws Exception {
        Run run = simulate("facts.py", "--seeds 300 --from " + RandomSeed.value());

        System.out.print(run.output());
        assertThat(run.output()).contains("seeds " + RandomSeed.value() + "..", "failing 0");
        assertThat(run.status()).as(run.output()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"top", "children --from 20", "note"})
    void theSimulatorDetectsHashesThatLackARule(String rule) throws Exception {
        Run run = simulate("facts.py", "--seeds 30 --off " + rule);

        assertThat(run.output()).doesNotContain("failing 0");
        assertThat(run.status()).as(run.output()).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"leave", "again", "missing", "dropped --from 500", "stable", "epoch", "inherit", "absent",
            "keep"})
    void theSimulatorDetectsUniqueItemsThatLackARule(String rule) throws Exception {
        Run run = simulate("unique.py", "--seeds 60 --off " + rule);

        assertThat(run.output()).doesNotContain("failing 0");
        assertThat(run.status()).as(run.output()).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sadd --from 0", "facts --on eager --from 0", "facts --off set --loss --from 44",
            "facts --off rename --from 30", "facts --off forward --alias --from 0",
            "facts --off page --alias --depth --from 20", "facts --off sticky --from 105",
            "facts --off seal --resize --from 78", "facts --off passes --resize --alias --from 110",
            "facts --off together --resize --from 900", "facts --stragglers --on markfirst --events 30 --from 19",
            "facts --moves --on marklate --from 44", "facts --moves --off newest --from 690",
            "facts --moves --off sameid --from 19",
            "facts --off ends --resize --alias --moves --stragglers --from 7107284",
            "facts --off gone --resize --moves --events 30 --pages 8 --from 955",
            "facts --off below --resize --pages 8 --events 40 --from 100003399", "facts --off most --outputs --from 29",
            "facts --off refresh --outputs --from 340", "facts --off ackread --responses --events 20 --from 0",
            "facts --off pollread --responses --events 20 --from 0",
            "facts --off closing --responses --events 20 --from 9",
            "facts --off barrier --responses --events 20 --from 40",
            "facts --off void --responses --events 20 --from 65", "facts --off mark --alias --from 0",
            "facts --off flat --requisites --depth --from 5",
            "facts --off both --alias --depth --pages 14 --batch 1 --from 1230",
            "facts --on stored --alias --depth --from 40", "facts --off back --alias --from 0",
            "facts --off restart --kafka --events 20 --from 34", "facts --off begin --kafka --events 20 --from 31",
            "facts --off forget --kafka --events 20 --from 11", "facts --off cut --kafka --events 20 --from 47",
            "facts --off margin --kafka --events 20 --from 60", "facts --off looked --kafka --events 20 --from 61",
            "facts --off lost --kafka --events 20 --from 13", "facts --off wait --kafka --late --from 10",
            "facts --off record --forget --from 0", "facts --off refuse --forget --from 0",
            "facts --off over --forget --events 16 --from 195", "facts --off soon --forget --events 16 --from 331"})
    void theSimulatorDetectsAProtocolThatLacksARule(String variant) throws Exception {
        Run run = simulate("sim.py " + variant, "--seeds 10");

        assertThat(run.output()).doesNotContain("failing 0");
        assertThat(run.status()).as(run.output()).isOne();
    }

    private static Run simulate(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("python3"));
        Stream.of(String.join(" ", arguments).split(" ")).filter(word -> !word.isEmpty()).forEach(command::add);
        Process process = new ProcessBuilder(command).directory(Documents.ROOT.resolve("docs/model").toFile())
                .redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(10, SECONDS)).isTrue();
            return new Run(process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }
}
