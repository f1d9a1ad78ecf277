package io.trawl.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * How full the heap of this JVM is with what a collection could not free: the share of its largest pool that was in use
 * after the last collection, 0 to 1. Garbage does not count. Thread-safe.
 */
public final class HeapLoad {
    private static final int LOOKS_PER_COLLECTION = 10;
    private final DoubleSupplier afterCollection;
    private final Runnable collection;
    private int looks;

    /**
     * @param afterCollection the load after the last collection
     * @param collection makes one
     */
    public HeapLoad(DoubleSupplier afterCollection, Runnable collection) {
        this.afterCollection = afterCollection;
        this.collection = collection;
    }

    /** The load of the pool of old objects; 0 if the collector does not report it. */
    public static HeapLoad ofThisJvm() {
        Optional<MemoryPoolMXBean> old = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                .max(Comparator.comparingLong(pool -> pool.getUsage().getMax()));
        return new HeapLoad(() -> old.map(pool -> share(pool.getCollectionUsage())).orElse(0.0), System::gc);
    }

    private static double share(MemoryUsage usage) {
        return usage.getMax() <= 0 ? 0 : (double) usage.getUsed() / usage.getMax();
    }

    /** The load after the last collection. */
    public synchronized double now() {
        looks = 0;
        return afterCollection.getAsDouble();
    }

    /**
     * The load for one who waits until it falls: without new work there may be no further collection that could show
     * it, so the first call and every tenth after it make one.
     */
    public synchronized double whileItShouldFall() {
        if (looks++ % LOOKS_PER_COLLECTION == 0) {
            collection.run();
        }
        return afterCollection.getAsDouble();
    }
}
