package io.trawl.analyzer.parse;

import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs jobs in parallel on platform threads with a time limit each, and one for all that are run together. A job that does not end in time is
 * interrupted and given up; if it goes on all the same it keeps its thread, and another one takes its place until it ends, so that one page that hangs
 * costs neither the others nor the batch. Thread-safe.
 */
public final class ParseThreads implements AutoCloseable {
    private static final long STACK = 4L << 20;
    private static final int FULL_LIMITS = 5;
    private static final int IMPATIENCE = 20;
    private static final String LATE = "not parsed: the time for its batch was over";
    private final int threads;
    private final Duration limit;
    private final Time time;
    private final Consumer<Duration> ended;
    private final AtomicInteger stuck = new AtomicInteger();
    private final ThreadPoolExecutor pool;

    /** A stretch of time that several calls share. Immutable and thread-safe. */
    public final class Budget {
        private final long end;

        private Budget(Duration length) {
            end = time.nanos() + length.toNanos();
        }

        private long left() {
            return Math.max(0, end - time.nanos());
        }
    }

    /** What became of a job. */
    public sealed interface Result<T> {
        /** It ended in time. */
        record Done<T>(T value) implements Result<T> {}

        /** It threw, or was given up. @param cause in words for people */
        record Failed<T>(String cause) implements Result<T> {}
    }

    /**
     * @param threads at least 1
     * @param limit from the moment a job begins to run; once several jobs of one call have exhausted it, the others get a twentieth
     */
    public ParseThreads(int threads, Duration limit, Time time) {
        this(threads, limit, time, took -> {});
    }

    /**
     * The same, for one who wants to know how long jobs take.
     *
     * @param ended told of each job that has ended, whatever its end, by the thread that ran it
     */
    public ParseThreads(int threads, Duration limit, Time time, Consumer<Duration> ended) {
        this.ended = ended;
        this.threads = threads;
        this.limit = limit;
        this.time = time;
        this.pool = new Pool(threads);
    }

    /** The number of threads for jobs that behave. */
    public int threads() {
        return threads;
    }

    /** How many jobs were given up and are still running. */
    public int stuck() {
        return Math.max(0, stuck.get());
    }

    /** Begins a stretch of time now. */
    public Budget budget(Duration length) {
        return new Budget(length);
    }

    /**
     * Runs all jobs and waits for them, until the budget is spent: what has not ended by then is given up, begun or not.
     *
     * @return their results, in the order of the jobs
     * @throws InterruptedException if the caller was interrupted; the jobs are given up
     */
    public <T> List<Result<T>> runAll(List<Callable<T>> jobs, Budget budget) throws InterruptedException {
        List<Job<T>> running = jobs.stream().map(call -> new Job<>(call, time)).toList();
        running.forEach(pool::execute);
        List<Result<T>> results = new ArrayList<>(jobs.size());
        int exhausted = 0;
        try {
            for (Job<T> job : running) {
                Result<T> result = await(job, exhausted < FULL_LIMITS ? limit : limit.dividedBy(IMPATIENCE), budget);
                exhausted += job.isCancelled() ? 1 : 0;
                results.add(result);
            }
        } catch (InterruptedException e) {
            running.forEach(this::giveUp);
            throw e;
        }
        return results;
    }

    private <T> Result<T> await(Job<T> job, Duration allowed, Budget budget) throws InterruptedException {
        if (!job.begun.await(budget.left(), TimeUnit.NANOSECONDS)) {
            return abandon(job, LATE);
        }
        long own = allowed.toNanos() - (time.nanos() - job.began);
        boolean late = budget.left() < own;
        try {
            return new Result.Done<>(job.get(Math.max(0, Math.min(own, budget.left())), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return abandon(job, late ? LATE : "not parsed within " + allowed.toMillis() + " ms");
        } catch (ExecutionException e) {
            return new Result.Failed<>(String.valueOf(e.getCause()));
        }
    }

    private <T> Result<T> abandon(Job<T> job, String cause) throws InterruptedException {
        return giveUp(job) ? new Result.Failed<>(cause) : ended(job);
    }

    /** It ended in the very moment in which it was to be given up. */
    private static <T> Result<T> ended(Job<T> job) throws InterruptedException {
        try {
            return new Result.Done<>(job.get());
        } catch (ExecutionException e) {
            return new Result.Failed<>(String.valueOf(e.getCause()));
        }
    }

    private boolean giveUp(Job<?> job) {
        // What still waits for a thread holds none, so nothing need take its place.
        boolean begun = !pool.remove(job);
        boolean given = job.cancel(true);
        if (given && begun) {
            stuck.incrementAndGet();
            resize();
        }
        return given;
    }

    private synchronized void resize() {
        int size = threads + stuck();
        if (size > pool.getCorePoolSize()) {
            pool.setMaximumPoolSize(size);
            pool.setCorePoolSize(size);
        } else {
            pool.setCorePoolSize(size);
            pool.setMaximumPoolSize(size);
        }
    }

    /** Interrupts what runs and returns. */
    @Override
    public void close() {
        pool.shutdownNow();
    }

    private static final class Job<T> extends FutureTask<T> {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final Time time;
        private volatile long began;

        Job(Callable<T> call, Time time) {
            super(call);
            this.time = time;
        }

        @Override
        public void run() {
            began = time.nanos();
            begun.countDown();
            super.run();
        }
    }

    private final class Pool extends ThreadPoolExecutor {
        Pool(int threads) {
            super(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Pool::thread);
        }

        private static Thread thread(Runnable work) {
            Thread thread = new Thread(null, work, "parse", STACK);
            thread.setDaemon(true);
            return thread;
        }

        @Override
        protected void afterExecute(Runnable job, Throwable thrown) {
            if (job instanceof Job<?> over) {
                ended.accept(Duration.ofNanos(time.nanos() - over.began));
                if (over.isCancelled()) {
                    stuck.decrementAndGet();
                    resize();
                }
            }
        }
    }
}
