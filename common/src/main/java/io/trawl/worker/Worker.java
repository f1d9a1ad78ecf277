package io.trawl.worker;

import io.trawl.channel.KafkaIdentity;
import io.trawl.model.InvalidValueException;
import io.trawl.model.MID;
import io.trawl.module.ModuleSummary;
import io.trawl.redis.RedisServers;
import io.trawl.redis.RedisStore;
import io.trawl.settings.Settings;
import io.trawl.time.Time;
import io.trawl.worker.ModuleEnd.CannotContinue;
import io.trawl.worker.ModuleEnd.StartAgain;
import io.trawl.worker.ModuleEnd.Stopped;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A module, as whoever runs it sees it. When it has to start again (Kafka has lost records that it knows of), it does
 * so in place: nothing is finished or committed, as after a kill, and a new module listens on the same port.
 * Thread-safe.
 */
public final class Worker {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private final Start start;
    private final CompletableFuture<ModuleEnd> end = new CompletableFuture<>();
    private final Thread thread;
    private volatile RunningModule module;

    /** Opens the store of a module, which closes it when it stops. */
    @FunctionalInterface
    public interface StoreFactory {
        /**
         * Opens the store for a Kafka cluster and its topic {@code responses}.
         *
         * @throws io.trawl.ledger.LedgerUnavailableException if Redis does not answer yet: the module calls again
         */
        RedisStore open(String clusterId, String responsesTopicId);

        /** For a process with one module: a store with a Redis client of its own. */
        static StoreFactory ofProcess(Settings settings, Time time) {
            return (clusterId, responsesTopicId) -> RedisStore.connect(RedisServers.of(settings.redis()),
                    settings.namespace(), clusterId, responsesTopicId, time);
        }
    }

    private interface Start {
        RunningModule on(int port) throws InterruptedException;
    }

    /**
     * Starts a module and returns when it is running. Waits for Kafka, Redis and the topics without a time-out.
     *
     * @throws InvalidValueException if a setting cannot be used, for example a port that is taken
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public static Worker start(Settings settings, StageFactory factory, Time time) throws InterruptedException {
        return start(settings, factory, time, StoreFactory.ofProcess(settings, time), mid -> {});
    }

    /**
     * The same, for a process with several modules.
     *
     * @param stores opens the store of the module
     * @param named receives the MID as soon as it is known, before its first use
     */
    public static Worker start(Settings settings, StageFactory factory, Time time, StoreFactory stores,
            Consumer<MID> named) throws InterruptedException {
        Start start = port -> RunningModule.start(settings, port, factory, time, stores, named);
        return new Worker(start, start.on(settings.http().port()));
    }

    private Worker(Start start, RunningModule module) {
        this.start = start;
        this.module = module;
        this.thread = Thread.ofVirtual().name("worker " + module.mid).start(this::run);
    }

    private void run() {
        try {
            ModuleEnd why = module.end.get();
            while (why instanceof StartAgain again) {
                LOG.warn("{} starts again: {}", module.mid, again.why());
                module.stop(Duration.ZERO);
                module = start.on(module.mid.port());
                why = module.end.get();
            }
            end.complete(why);
        } catch (InterruptedException e) {
            LOG.debug("stopped while it was starting again");
        } catch (InvalidValueException e) {
            broken(String.valueOf(e.getMessage()), e);
        } catch (RuntimeException | ExecutionException e) {
            broken("it cannot start again: " + e.getMessage(), e);
        }
    }

    /** A module that is starting ends; none begins after it. */
    private void joined() {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void broken(String why, Exception e) {
        LOG.error("{} cannot continue", module.mid, e);
        end.complete(new CannotContinue(why));
    }

    /** The MID of the module. */
    public MID mid() {
        return module.mid;
    }

    /** The stage, for callers that run it in their own process. */
    public Stage stage() {
        return module.stage;
    }

    /** The summary of the module. */
    public ModuleSummary summary() {
        return module.status.summary();
    }

    /** The ids of the cluster and the topics that it began with. */
    public KafkaIdentity.Ids kafka() {
        return module.identity.ids();
    }

    /** Says that the module ends, and leaves everything else to the end of the process. */
    void unregister() {
        module.status.unregister();
    }

    /** Completes when the module has ended, or cannot continue; not while it starts again. */
    public CompletableFuture<ModuleEnd> end() {
        return end;
    }

    /**
     * Finishes the work in flight within the grace period, commits, unregisters and closes everything. Later calls do
     * nothing.
     */
    public void stop(Duration grace) {
        thread.interrupt();
        joined();
        module.stop(grace);
        end.complete(new Stopped());
    }
}
