package io.trawl.analyzer.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.parse.ParseThreads.Result;
import io.trawl.testkit.ManualTime;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ParseThreadsTest {
    @Test
    void resultsComeInTheOrderOfTheJobs() throws Exception {
        try (ParseThreads threads = new ParseThreads(3, Duration.ofSeconds(30), Time.system())) {
            List<Callable<Integer>> jobs = new ArrayList<>();
            List<Result<Integer>> expected = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                int n = i;
                jobs.add(() -> n);
                expected.add(new Result.Done<>(n));
            }
            assertThat(run(threads, jobs)).isEqualTo(expected);
        }
    }

    @Test
    void jobsThatHangCostOnlyThemselvesAndTheirThreadsAreReplaced() throws Exception {
        AtomicBoolean release = new AtomicBoolean();
        try (ParseThreads threads = new ParseThreads(2, Duration.ofMillis(100), Time.system())) {
            Callable<String> hanging = () -> {
                while (!release.get()) {
                    // Deaf to interruption, as a regular expression that runs away.
                    Thread.onSpinWait();
                }
                return "late";
            };
            List<Result<String>> results = run(threads, List.of(hanging, hanging, () -> "fine", () -> "fine too"));
            assertThat(results.subList(0, 2)).allSatisfy(r -> assertThat(r).isInstanceOf(Result.Failed.class));
            assertThat(results.subList(2, 4)).containsExactly(new Result.Done<>("fine"), new Result.Done<>("fine too"));
            assertThat(threads.stuck()).isEqualTo(2);
            release.set(true);
            await().atMost(10, TimeUnit.SECONDS).until(() -> threads.stuck() == 0);
            assertThat(run(threads, List.of(() -> "again"))).containsExactly(new Result.Done<>("again"));
        }
    }

    @Test
    void aJobThatListensIsInterrupted() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        try (ParseThreads threads = new ParseThreads(1, Duration.ofMillis(50), Time.system())) {
            List<Result<String>> results = run(threads, List.of(() -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                }
                return "";
            }));
            assertThat(results).singleElement().isInstanceOf(Result.Failed.class);
            assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
            await().atMost(10, TimeUnit.SECONDS).until(() -> threads.stuck() == 0);
        }
    }

    @Test
    void aJobThatThrowsOrBlowsTheStackFailsAlone() throws Exception {
        try (ParseThreads threads = new ParseThreads(1, Duration.ofSeconds(30), Time.system())) {
            List<Result<Integer>> results = run(threads, List.of(() -> {
                throw new IllegalStateException("broken");
            }, () -> deep(0), () -> 7));
            assertThat(results.get(0)).isEqualTo(new Result.Failed<Integer>("java.lang.IllegalStateException: broken"));
            assertThat(results.get(1)).isInstanceOf(Result.Failed.class);
            assertThat(results.get(2)).isEqualTo(new Result.Done<>(7));
        }
    }

    @Test
    void allJobsTogetherEndWithTheirBudgetAlthoughNoneHasExhaustedItsOwnLimit() throws Exception {
        ManualTime time = ManualTime.standing();
        CountDownLatch release = new CountDownLatch(1);
        Callable<String> hanging = () -> {
            release.await();
            return "late";
        };
        try (ParseThreads threads = new ParseThreads(1, Duration.ofHours(1), time)) {
            ParseThreads.Budget budget = threads.budget(Duration.ofMinutes(1));
            assertThat(threads.<String>runAll(List.of(() -> {
                time.advance(Duration.ofMinutes(2));
                return "in time";
            }), threads.budget(Duration.ofHours(1)))).containsExactly(new Result.Done<>("in time"));
            assertThat(threads.runAll(List.of(hanging, hanging, hanging), budget)).hasSize(3)
                    .allSatisfy(r -> assertThat(r).isInstanceOfSatisfying(Result.Failed.class,
                            failed -> assertThat(failed.cause()).contains("batch")));
            await().atMost(10, TimeUnit.SECONDS).until(() -> threads.stuck() == 0);
            assertThat(run(threads, List.of(() -> "again"))).containsExactly(new Result.Done<>("again"));
        } finally {
            release.countDown();
        }
    }

    @Test
    void aJobThatNeverBeganIsNeverRunAndNotCountedAsStuck() throws Exception {
        AtomicBoolean release = new AtomicBoolean();
        AtomicBoolean ran = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        ManualTime time = ManualTime.standing();
        try (ParseThreads threads = new ParseThreads(1, Duration.ofHours(1), time)) {
            ParseThreads.Budget spent = threads.budget(Duration.ZERO);
            Thread other = Thread.ofVirtual().start(() -> {
                try {
                    run(threads, List.of(() -> {
                        begun.countDown();
                        while (!release.get()) {
                            Thread.onSpinWait();
                        }
                        return "";
                    }));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            begun.await();
            assertThat(threads.runAll(List.of(() -> ran.getAndSet(true)), spent)).singleElement()
                    .isInstanceOf(Result.Failed.class);
            assertThat(threads.stuck()).isZero();
            release.set(true);
            other.join();
            run(threads, List.of(() -> ""));
            assertThat(ran).isFalse();
        }
    }

    private static <T> List<Result<T>> run(ParseThreads threads, List<Callable<T>> jobs) throws InterruptedException {
        return threads.runAll(jobs, threads.budget(Duration.ofHours(1)));
    }

    private static int deep(int n) {
        return n < 0 ? n : deep(n + 1) + deep(n + 2);
    }
}
