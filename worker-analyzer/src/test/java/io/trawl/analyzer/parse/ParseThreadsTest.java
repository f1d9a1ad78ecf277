package io.trawl.analyzer.parse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trawl.analyzer.Fixtures;
import io.trawl.analyzer.extract.DocumentMemory;
import io.trawl.analyzer.parse.ParseThreads.JobResult;
import io.trawl.analyzer.parse.ParseThreads.ParseCall;
import io.trawl.analyzer.parse.ParseThreads.ParseJob;
import io.trawl.testkit.ManualTime;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ParseThreadsTest {
    @Test
    void resultsHaveTheOrderOfTheJobs() throws Exception {
        try (ParseThreads threads = Fixtures.threads(3, Duration.ofSeconds(30), Time.system())) {
            List<Callable<Integer>> jobs = new ArrayList<>();
            List<JobResult<Integer>> expected = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                int n = i;
                jobs.add(() -> n);
                expected.add(new JobResult.JobDone<>(n));
            }
            assertThat(run(threads, jobs)).isEqualTo(expected);
        }
    }

    @Test
    void jobsThatHangDoNotDelayOthersAndTheirThreadsAreReplaced() throws Exception {
        AtomicBoolean release = new AtomicBoolean();
        try (ParseThreads threads = Fixtures.threads(2, Duration.ofMillis(100), Time.system())) {
            Callable<String> hanging = () -> {
                while (!release.get()) {
                    // Ignores interrupts, like a regular expression with catastrophic backtracking.
                    Thread.onSpinWait();
                }
                return "late";
            };
            List<JobResult<String>> jobResults = run(threads,
                    List.of(hanging, hanging, () -> "fine", () -> "fine too"));
            assertThat(jobResults.subList(0, 2)).allSatisfy(r -> assertThat(r).isInstanceOf(JobResult.JobLate.class));
            assertThat(jobResults.subList(2, 4)).containsExactly(new JobResult.JobDone<>("fine"),
                    new JobResult.JobDone<>("fine too"));
            assertThat(threads.stuck()).isEqualTo(2);
            release.set(true);
            await().until(() -> threads.stuck() == 0);
            assertThat(run(threads, List.of(() -> "again"))).containsExactly(new JobResult.JobDone<>("again"));
        }
    }

    @Test
    void aJobThatExceedsItsLimitIsInterrupted() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        try (ParseThreads threads = Fixtures.threads(1, Duration.ofMillis(50), Time.system())) {
            List<JobResult<String>> jobResults = run(threads, List.of(() -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                }
                return "";
            }));
            assertThat(jobResults).singleElement().isInstanceOf(JobResult.JobLate.class);
            assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
            await().until(() -> threads.stuck() == 0);
        }
    }

    @Test
    void aJobThatThrowsOrOverflowsTheStackFailsAlone() throws Exception {
        try (ParseThreads threads = Fixtures.threads(1, Duration.ofSeconds(30), Time.system())) {
            List<JobResult<Integer>> jobResults = run(threads, List.of(() -> {
                throw new IllegalStateException("broken");
            }, () -> deep(0), () -> 7));
            assertThat(jobResults.get(0))
                    .isEqualTo(new JobResult.JobFailed<Integer>("java.lang.IllegalStateException: broken"));
            assertThat(jobResults.get(1)).isInstanceOf(JobResult.JobFailed.class);
            assertThat(jobResults.get(2)).isEqualTo(new JobResult.JobDone<>(7));
        }
    }

    @Test
    void allJobsEndWithTheBudgetAlthoughNoneHasExceededItsOwnLimit() throws Exception {
        ManualTime time = ManualTime.standing();
        CountDownLatch release = new CountDownLatch(1);
        Callable<String> hanging = () -> {
            release.await();
            return "late";
        };
        try (ParseThreads threads = Fixtures.threads(1, Duration.ofHours(1), time)) {
            ParseThreads.Budget budget = threads.budget(Duration.ofMinutes(1));
            assertThat(ParseThreadsTest.<String>run(threads, List.of(() -> {
                time.advance(Duration.ofMinutes(2));
                return "in time";
            }))).containsExactly(new JobResult.JobDone<>("in time"));
            assertThat(threads.runAll(jobs(List.of(hanging, hanging, hanging)), budget)).hasSize(3)
                    .allSatisfy(r -> assertThat(r).isInstanceOfSatisfying(JobResult.JobLate.class,
                            late -> assertThat(late.cause()).contains("batch")));
            await().until(() -> threads.stuck() == 0);
            assertThat(run(threads, List.of(() -> "again"))).containsExactly(new JobResult.JobDone<>("again"));
        } finally {
            release.countDown();
        }
    }

    @Test
    void aJobThatHasNotStartedIsNeverRunAndNotCountedAsStuck() throws Exception {
        AtomicBoolean release = new AtomicBoolean();
        AtomicBoolean ran = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        ManualTime time = ManualTime.standing();
        try (ParseThreads threads = Fixtures.threads(1, Duration.ofHours(1), time)) {
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
            assertThat(threads.runAll(List.of(new ParseJob<>(1, _ -> ran.getAndSet(true))), spent)).singleElement()
                    .isInstanceOf(JobResult.JobLate.class);
            assertThat(threads.stuck()).isZero();
            release.set(true);
            other.join();
            run(threads, List.of(() -> ""));
            assertThat(ran).isFalse();
        }
    }

    @Test
    void pagesWaitForMemoryAndAnAbandonedPageReturnsIt() throws Exception {
        AtomicBoolean release = new AtomicBoolean();
        ParseMemory roomForOne = new ParseMemory(1 << 20, 1_000_000);
        try (ParseThreads threads = new ParseThreads(4, Duration.ofMillis(300), roomForOne, Time.system(),
                took -> {})) {
            AtomicInteger atOnce = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            Callable<Integer> large = () -> {
                most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
                Thread.onSpinWait();
                return atOnce.decrementAndGet();
            };
            List<ParseJob<Integer>> jobs = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                jobs.add(new ParseJob<>(8 << 20, _ -> large.call()));
            }
            assertThat(threads.runAll(jobs, threads.budget(Duration.ofHours(1)))).hasSize(200)
                    .allSatisfy(r -> assertThat(r).isInstanceOf(JobResult.JobDone.class));
            assertThat(most).hasValue(1);

            ParseJob<Integer> hanging = new ParseJob<>(8 << 20, _ -> {
                while (!release.get()) {
                    Thread.onSpinWait();
                }
                return 0;
            });
            List<JobResult<Integer>> jobResults = threads.runAll(List.of(hanging, new ParseJob<>(8 << 20, _ -> 7)),
                    threads.budget(Duration.ofHours(1)));
            assertThat(jobResults.getFirst()).isInstanceOf(JobResult.JobLate.class);
            assertThat(jobResults.get(1)).isEqualTo(new JobResult.JobDone<>(7));
        } finally {
            release.set(true);
        }
    }

    @Test
    void pagesOfAUsualSizeDoNotWaitForMemoryAndALargeOneIsParsedAgainWhenItIsReserved() throws Exception {
        ParseMemory memory = new ParseMemory(64 << 20, 1_000_000);
        try (ParseThreads threads = new ParseThreads(2, Duration.ofMinutes(1), memory, Time.system(), took -> {})) {
            CyclicBarrier usual = new CyclicBarrier(2);
            AtomicInteger large = new AtomicInteger();
            ParseCall<String> page = reserved -> {
                if (reserved == DocumentMemory.USUAL) {
                    usual.await(1, TimeUnit.MINUTES);
                    throw new DocumentMemory.NotEnoughException();
                }
                assertThat(large.incrementAndGet()).isEqualTo(1);
                large.decrementAndGet();
                return reserved.name();
            };
            List<ParseJob<String>> jobs = Collections.nCopies(20, new ParseJob<>(200_000, page));
            assertThat(threads.runAll(jobs, threads.budget(Duration.ofMinutes(1)))).hasSize(20)
                    .containsOnly(new JobResult.JobDone<>("MOST"));
        }
    }

    private static <T> List<JobResult<T>> run(ParseThreads threads, List<Callable<T>> jobs)
            throws InterruptedException {
        return threads.runAll(jobs(jobs), threads.budget(Duration.ofHours(1)));
    }

    private static <T> List<ParseJob<T>> jobs(List<Callable<T>> calls) {
        return calls.stream().map(call -> new ParseJob<>(1, _ -> call.call())).toList();
    }

    private static int deep(int n) {
        return n < 0 ? n : deep(n + 1) + deep(n + 2);
    }
}
