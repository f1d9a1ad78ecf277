package io.trawl.worker;

import io.trawl.log.ProcessLog;
import io.trawl.settings.InvalidSettings;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.model.InvalidValue;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one module as a process of its own, configured by the environment, until SIGTERM or Ctrl-C; a second one ends it at once. */
public final class WorkerMain {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerMain.class);
    /** What closing connections may take beyond the grace period, which is for the work in flight. */
    private static final Duration AFTER_GRACE = Duration.ofSeconds(2);
    private final Time time = Time.system();
    private final StopRequest stop = new StopRequest();

    private WorkerMain() {}

    /**
     * Runs the module; does not return. Exit status: 0 after a stop by signal, also before the module ran, 1 if the module could not go on or did not
     * end within the grace period, 2 if a setting is wrong (one line each on standard error).
     */
    public static void run(StageFactory factory) {
        run(factory, SettingsReader::fromEnvironment);
    }

    /** The same with settings from elsewhere. */
    public static void run(StageFactory factory, Supplier<Settings> source) {
        System.exit(new WorkerMain().status(factory, source));
    }

    private int status(StageFactory factory, Supplier<Settings> source) {
        Signals.ask(stop, System.err);
        try {
            return status(source.get(), factory);
        } catch (InvalidSettings e) {
            e.faults().forEach(WorkerMain::complain);
            return 2;
        } catch (InvalidValue e) {
            complain(e.getMessage());
            return 2;
        } catch (RuntimeException e) {
            if (stop.asked()) {
                // Clients tell an interrupt in exceptions of their own.
                return 0;
            }
            LOG.error("cannot start", e);
            return 1;
        }
    }

    private int status(Settings settings, StageFactory factory) {
        interruptWhenAsked(Thread.currentThread());
        try {
            Worker worker = Worker.start(settings, factory, time, ProcessLog::is);
            boolean broken = broken(worker);
            haltAfter(settings.grace().plus(AFTER_GRACE));
            worker.stop(settings.grace());
            return broken ? 1 : 0;
        } catch (InterruptedException e) {
            LOG.info("stopped before it was running");
            return 0;
        }
    }

    /** Waits until the module cannot go on, or is asked to stop. */
    private static boolean broken(Worker worker) {
        try {
            return worker.end().get().isPresent();
        } catch (InterruptedException e) {
            return false;
        } catch (ExecutionException e) {
            LOG.error("cannot go on", e);
            return true;
        }
    }

    /** While it starts, the module waits for Kafka and Redis, perhaps for long; nothing else interrupts this thread. */
    private void interruptWhenAsked(Thread main) {
        Thread.ofVirtual().name("stop").start(() -> {
            try {
                stop.await();
                main.interrupt();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /** What has not ended by then is as good as killed: everything here survives that. */
    private void haltAfter(Duration limit) {
        Thread.ofPlatform().daemon().name("grace").start(() -> {
            try {
                time.pause(limit);
                LOG.error("not everything has ended within {} s: ended at once", limit.toSeconds());
                Runtime.getRuntime().halt(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void complain(String fault) {
        System.err.println("trawl: " + fault);
    }
}
