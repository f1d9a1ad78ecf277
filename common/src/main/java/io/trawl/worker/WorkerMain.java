package io.trawl.worker;

import io.trawl.model.InvalidValueException;
import io.trawl.settings.InvalidSettingsException;
import io.trawl.settings.Settings;
import io.trawl.settings.SettingsReader;
import io.trawl.telemetry.ProcessLog;
import io.trawl.time.Time;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import io.trawl.worker.Worker.StoreFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one module as a process of its own, configured by the environment, until SIGTERM or Ctrl-C; a second one ends it
 * at once.
 */
public final class WorkerMain {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerMain.class);
    /** The time for closing connections after the grace period, which is for the work in flight. */
    private static final Duration AFTER_GRACE = Duration.ofSeconds(2);
    private final Time time = Time.system();
    private final ShutdownRequest stop = new ShutdownRequest();

    private WorkerMain() {}

    /**
     * Runs the module; does not return. Exit status: 0 after a stop by signal, also before the module ran, 1 if the
     * module could not continue, if Kafka has other topics than at its start, or if it did not end within the grace
     * period, 2 if a setting is wrong (one line each on standard error).
     */
    public static void run(StageFactory factory) {
        run(factory, SettingsReader::fromEnvironment);
    }

    /** Runs the module with the settings of the supplier. */
    public static void run(StageFactory factory, Supplier<Settings> source) {
        System.exit(new WorkerMain().status(factory, source));
    }

    private int status(StageFactory factory, Supplier<Settings> source) {
        Signals.ask(stop, System.err);
        SettingsReader.ineffective(System.getenv().keySet()).forEach(WorkerMain::report);
        try {
            return status(source.get(), factory);
        } catch (InvalidSettingsException e) {
            e.lines().forEach(WorkerMain::report);
            return 2;
        } catch (InvalidValueException e) {
            report(e.getMessage());
            return 2;
        } catch (RuntimeException e) {
            if (stop.asked()) {
                // Clients report an interrupt with exceptions of their own.
                return 0;
            }
            LOG.error("cannot start", e);
            return 1;
        }
    }

    private int status(Settings settings, StageFactory factory) {
        interruptWhenAsked(Thread.currentThread());
        try {
            Worker worker = Worker.start(settings, factory, time, StoreFactory.ofProcess(settings, time),
                    ProcessLog::is);
            ModuleEnd end = end(worker);
            haltAfter(settings.grace().plus(AFTER_GRACE));
            if (end instanceof ModuleEnd.OtherKafka) {
                // What a stop finishes and commits would be about other records.
                worker.unregister();
                Runtime.getRuntime().halt(1);
            }
            worker.stop(settings.grace());
            return end.trouble().isPresent() ? 1 : 0;
        } catch (InterruptedException e) {
            LOG.info("stopped before it was running");
            return 0;
        }
    }

    /** Waits until the module cannot continue, or a shutdown is requested. */
    private static ModuleEnd end(Worker worker) {
        try {
            return worker.end().get();
        } catch (InterruptedException e) {
            return new ModuleEnd.Stopped();
        } catch (ExecutionException e) {
            LOG.error("cannot continue", e);
            return new ModuleEnd.CannotContinue("cannot continue");
        }
    }

    /** During startup the module may wait long for Kafka and Redis; nothing else interrupts this thread. */
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

    /** Ends the process like a kill, which the design tolerates. */
    private void haltAfter(Duration limit) {
        Thread.ofPlatform().daemon().name("grace").start(() -> {
            try {
                time.pause(limit);
                LOG.error("the shutdown did not finish within {} s: the process ends now", limit.toSeconds());
                Runtime.getRuntime().halt(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private static void report(String fault) {
        System.err.println("trawl: " + fault);
    }
}
