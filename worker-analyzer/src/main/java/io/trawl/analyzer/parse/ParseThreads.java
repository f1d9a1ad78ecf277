package io.trawl.analyzer.parse;

import io.trawl.analyzer.extract.DocumentMemory;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Runs jobs in parallel on platform threads, with a time limit for each job and a budget for all jobs of a call. A job
 * that exceeds its limit is interrupted and abandoned. If it ignores the interrupt it keeps its thread, and a
 * replacement thread serves the others until it ends, so that a page that hangs delays neither other pages nor the
 * batch. Jobs begin when there is memory for their pages; an abandoned one does not hold its memory against others. A
 * job that needs more memory than usual pages runs again, after the others, when that is reserved. Thread-safe.
 */
public final class ParseThreads implements AutoCloseable {
    private static final long STACK = 4L << 20;
    private static final int FULL_LIMITS = 5;
    private static final int REDUCTION = 20;
    private static final String BATCH_TIMEOUT = "not parsed: the time limit of the batch was exceeded";
    private final int threads;
    private final Duration limit;
    private final Time time;
    private final ParseMemory memory;
    private final Consumer<Duration> ended;
    private final AtomicInteger stuck = new AtomicInteger();
    private final ThreadPoolExecutor pool;

    /** A time budget that several calls share. Immutable and thread-safe. */
    public final class Budget {
        private final long end;

        private Budget(Duration length) {
            end = time.nanos() + length.toNanos();
        }

        private long left() {
            return Math.max(0, end - time.nanos());
        }
    }

    /** The result of a job. */
    public sealed interface JobResult<T> {
        /** The job completed in time. */
        record JobDone<T>(T value) implements JobResult<T> {}

        /** The job failed. @param cause in words for people */
        record JobFailed<T>(String cause) implements JobResult<T> {}

        /** The job was abandoned: it, or the whole call, exceeded its time. @param cause in words for people */
        record JobLate<T>(String cause) implements JobResult<T> {}
    }

    /** What is done with a page. */
    @FunctionalInterface
    public interface ParseCall<T> {
        /**
         * Parses the page.
         *
         * @param memory what is reserved for its document
         * @throws DocumentMemory.NotEnoughException to be called again when more is reserved
         * @throws Exception if it fails
         */
        T run(DocumentMemory memory) throws Exception;
    }

    /** A page to parse. @param body its length in bytes */
    public record ParseJob<T>(long body, ParseCall<T> call) {}

    /**
     * @param threads at least 1
     * @param limit from the start of a job; after five jobs of a call have exceeded it, the others get a twentieth of
     * it
     * @param ended receives the duration of each job, successful or not, on the job's thread
     */
    public ParseThreads(int threads, Duration limit, ParseMemory memory, Time time, Consumer<Duration> ended) {
        this.ended = ended;
        this.threads = threads;
        this.limit = limit;
        this.memory = memory;
        this.time = time;
        this.pool = new Pool(threads);
    }

    /** The number of threads, without replacements for stuck ones. */
    public int threads() {
        return threads;
    }

    /** The number of abandoned jobs that still run. */
    public int stuck() {
        return Math.max(0, stuck.get());
    }

    /** A budget that starts now. */
    public Budget budget(Duration length) {
        return new Budget(length);
    }

    /**
     * Runs all jobs and waits for them until the budget is spent; then it abandons the remaining jobs, started or not.
     *
     * @return their results, in the order of the jobs
     * @throws InterruptedException if the caller was interrupted; the jobs are abandoned
     */
    public <T> List<JobResult<T>> runAll(List<ParseJob<T>> jobs, Budget budget) throws InterruptedException {
        List<Optional<JobResult<T>>> usual = runAll(jobs, DocumentMemory.USUAL, budget);
        List<ParseJob<T>> large = IntStream.range(0, jobs.size()).filter(i -> usual.get(i).isEmpty())
                .mapToObj(jobs::get).toList();
        Iterator<Optional<JobResult<T>>> again = runAll(large, DocumentMemory.MOST, budget).iterator();
        List<JobResult<T>> jobResults = new ArrayList<>(jobs.size());
        for (Optional<JobResult<T>> result : usual) {
            jobResults.add(result.or(again::next).orElseThrow());
        }
        return jobResults;
    }

    /** The results of those for which the memory is enough. */
    private <T> List<Optional<JobResult<T>>> runAll(List<ParseJob<T>> jobs, DocumentMemory document, Budget budget)
            throws InterruptedException {
        List<Job<T>> running = jobs.stream().map(job -> new Job<>(job, document, memory, time)).toList();
        running.forEach(pool::execute);
        List<Optional<JobResult<T>>> jobResults = new ArrayList<>(jobs.size());
        int exhausted = 0;
        try {
            for (Job<T> job : running) {
                jobResults.add(await(job, exhausted < FULL_LIMITS ? limit : limit.dividedBy(REDUCTION), budget));
                exhausted += job.isCancelled() ? 1 : 0;
            }
        } catch (InterruptedException e) {
            running.forEach(this::cancel);
            throw e;
        }
        return jobResults;
    }

    private <T> Optional<JobResult<T>> await(Job<T> job, Duration allowed, Budget budget) throws InterruptedException {
        if (!job.started.await(budget.left(), TimeUnit.NANOSECONDS)) {
            return abandon(job, BATCH_TIMEOUT);
        }
        long own = allowed.toNanos() - (time.nanos() - job.startedAt);
        boolean late = budget.left() < own;
        try {
            return Optional.of(
                    new JobResult.JobDone<>(job.get(Math.max(0, Math.min(own, budget.left())), TimeUnit.NANOSECONDS)));
        } catch (TimeoutException e) {
            return abandon(job, late ? BATCH_TIMEOUT : "not parsed within " + allowed.toMillis() + " ms");
        } catch (ExecutionException e) {
            return failed(e);
        }
    }

    private static <T> Optional<JobResult<T>> failed(ExecutionException e) {
        return e.getCause() instanceof DocumentMemory.NotEnoughException
                ? Optional.empty()
                : Optional.of(new JobResult.JobFailed<>(String.valueOf(e.getCause())));
    }

    private <T> Optional<JobResult<T>> abandon(Job<T> job, String cause) throws InterruptedException {
        return cancel(job) ? Optional.of(new JobResult.JobLate<>(cause)) : ended(job);
    }

    /** The job completed at the same moment, so its result counts. */
    private static <T> Optional<JobResult<T>> ended(Job<T> job) throws InterruptedException {
        try {
            return Optional.of(new JobResult.JobDone<>(job.get()));
        } catch (ExecutionException e) {
            return failed(e);
        }
    }

    private boolean cancel(Job<?> job) {
        pool.remove(job);
        // A job that waits in the queue or for memory occupies no core, so it needs no replacement thread.
        boolean waiting = job.progress.compareAndSet(Progress.WAITING, Progress.OVER);
        boolean cancelled = job.cancel(true);
        if (cancelled && !waiting) {
            stuck.incrementAndGet();
            job.release();
            resize();
        }
        return cancelled;
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

    /** Interrupts the running jobs and returns at once. */
    @Override
    public void close() {
        pool.shutdownNow();
    }

    private enum Progress {
        WAITING, RUNNING, OVER
    }

    private static final class Job<T> extends FutureTask<T> {
        private final CountDownLatch started = new CountDownLatch(1);
        private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.WAITING);
        private final AtomicReference<Optional<ParseMemory.Reservation>> reservation = new AtomicReference<>(
                Optional.empty());
        private final long body;
        private final DocumentMemory document;
        private final ParseMemory memory;
        private final Time time;
        private volatile long startedAt;

        Job(ParseJob<T> job, DocumentMemory document, ParseMemory memory, Time time) {
            super(() -> job.call().run(document));
            this.body = job.body();
            this.document = document;
            this.memory = memory;
            this.time = time;
        }

        @Override
        public void run() {
            try {
                reservation.set(Optional.of(memory.reserve(body, document)));
            } catch (InterruptedException e) {
                // The pool is closed: no caller waits for this job.
                return;
            }
            if (progress.compareAndSet(Progress.WAITING, Progress.RUNNING)) {
                startedAt = time.nanos();
                started.countDown();
                super.run();
            }
            release();
        }

        boolean begun() {
            return progress.get() == Progress.RUNNING;
        }

        void release() {
            reservation.get().ifPresent(ParseMemory.Reservation::release);
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
            if (job instanceof Job<?> over && over.begun()) {
                ended.accept(Duration.ofNanos(time.nanos() - over.startedAt));
                if (over.isCancelled()) {
                    stuck.decrementAndGet();
                    resize();
                }
            }
        }
    }
}
