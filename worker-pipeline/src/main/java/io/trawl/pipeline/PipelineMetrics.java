package io.trawl.pipeline;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.trawl.pipeline.sink.RetriedSinks;
import io.trawl.pipeline.sink.SinkCounts;
import java.util.function.ToDoubleFunction;

/** The pipeline's metrics. */
record PipelineMetrics(MeterRegistry meters, SinkCounts figures, RetriedSinks sinks) {
    void measure() {
        counter("trawl.pipeline.items", "Lines written: items and errors", SinkCounts::lines);
        counter("trawl.pipeline.bytes", "Bytes written", SinkCounts::bytes);
        counter("trawl.pipeline.files", "Files finished", SinkCounts::finished);
        Gauge.builder("trawl.pipeline.items.waiting", figures, SinkCounts::waiting)
                .description("Items of its partitions that this pipeline has not read").register(meters);
        Gauge.builder("trawl.pipeline.files.open", figures, SinkCounts::open).description("Files open for writing")
                .register(meters);
        Gauge.builder("trawl.pipeline.partitions", figures, f -> f.partitions().size())
                .description("Partitions of the items topic that this pipeline stores").register(meters);
        Gauge.builder("trawl.pipeline.sinks.failing", sinks, failing -> failing.failing().size())
                .description("Sinks that did not store the last items that this pipeline gave them").register(meters);
    }

    private void counter(String name, String description, ToDoubleFunction<SinkCounts> value) {
        FunctionCounter.builder(name, figures, value).description(description).register(meters);
    }
}
