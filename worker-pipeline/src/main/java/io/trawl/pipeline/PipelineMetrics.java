package io.trawl.pipeline;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.pipeline.sink.SinkFigures;
import java.util.function.ToDoubleFunction;

/** The pipeline's figures for Prometheus. */
final class PipelineMetrics {
    private final MeterRegistry meters;
    private final SinkFigures figures;

    PipelineMetrics(MeterRegistry meters, SinkFigures figures) {
        this.meters = meters;
        this.figures = figures;
    }

    void measure() {
        counter("trawl.pipeline.items", "Items and errors that were written", SinkFigures::lines);
        counter("trawl.pipeline.bytes", "Bytes that were written", SinkFigures::bytes);
        counter("trawl.pipeline.files", "Files that were finished", SinkFigures::finished);
        Gauge.builder("trawl.pipeline.files.open", figures, SinkFigures::open).description("Files that are being written")
                .register(meters);
        Gauge.builder("trawl.pipeline.partitions", figures, f -> f.partitions().size())
                .description("Partitions of the items that are stored here").register(meters);
    }

    private void counter(String name, String what, ToDoubleFunction<SinkFigures> value) {
        FunctionCounter.builder(name, figures, value).description(what).register(meters);
    }
}
