package io.trawl.worker;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.trawl.api.Counts;
import io.trawl.memory.HeapWatch;
import io.trawl.model.ModuleKind;
import io.trawl.module.Counters;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/** The metrics of all kinds of modules. */
final class ModuleMetrics {
    private final MeterRegistry meters;
    private final String kind;

    ModuleMetrics(MeterRegistry meters, ModuleKind kind) {
        this.meters = meters;
        this.kind = kind.word();
    }

    /** The JVM and the process. */
    void machine() {
        new JvmMemoryMetrics().bindTo(meters);
        new JvmThreadMetrics().bindTo(meters);
        new JvmGcMetrics().bindTo(meters);
        new ProcessorMetrics().bindTo(meters);
        new FileDescriptorMetrics().bindTo(meters);
        new UptimeMetrics().bindTo(meters);
    }

    /** The counters of the module (S10). */
    void counts(Counters counters) {
        counter("trawl.module.called", "Work that arrived", counters, Counts::called);
        counter("trawl.module.accepted", "Work that passed the checks", counters, Counts::accepted);
        counter("trawl.module.completed", "Work that succeeded", counters, Counts::completed);
        counter("trawl.module.failed", "Work that ended in an error", counters, Counts::failed);
        counter("trawl.module.returned", "Work that was given back unfinished", counters, Counts::returned);
        Gauge.builder("trawl.module.handling", counters, c -> c.counts().handling()).description("Work in flight")
                .tag("kind", kind).register(meters);
    }

    /** The load that is shed before the heap is full. */
    void memory(HeapWatch heap) {
        Gauge.builder("trawl.memory.full", heap, h -> h.full() ? 1 : 0)
                .description("1 while no new work begins, since the heap is nearly full").register(meters);
        FunctionCounter.builder("trawl.memory.holds", heap, HeapWatch::holds)
                .description("How often the heap became nearly full").register(meters);
    }

    private void counter(String name, String what, Counters counters, ToLongFunction<Counts> value) {
        FunctionCounter.builder(name, counters, c -> value.applyAsLong(c.counts())).description(what).tag("kind", kind)
                .register(meters);
    }

    /**
     * The health of the module.
     *
     * @param ready whether the module is ready
     * @param controlLag records of {@code control} that it has not read yet
     * @param errorsDropped errors that could not be written
     * @param notes the notes about the module
     */
    void health(BooleanSupplier ready, LongSupplier controlLag, LongSupplier errorsDropped, LongSupplier notes) {
        Gauge.builder("trawl.module.ready", ready, r -> r.getAsBoolean() ? 1 : 0)
                .description("1 while the module is ready").tag("kind", kind).strongReference(true).register(meters);
        Gauge.builder("trawl.control.lag", controlLag, LongSupplier::getAsLong)
                .description("Offsets of the control topic that this process has not read yet").strongReference(true)
                .register(meters);
        Gauge.builder("trawl.module.notes", notes, LongSupplier::getAsLong)
                .description("Faults of the module that last").tag("kind", kind).strongReference(true).register(meters);
        FunctionCounter.builder("trawl.errors.dropped", errorsDropped, LongSupplier::getAsLong)
                .description("Errors that could not be written to the errors topic").register(meters);
    }
}
