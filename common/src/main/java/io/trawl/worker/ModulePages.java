package io.trawl.worker;

import io.trawl.module.Summary;
import java.util.List;

/** What every module's HTTP endpoint shows. Thread-safe; answers at once. */
public interface ModulePages {
    /** {@code GET /summary}. */
    Summary summary();

    /** {@code GET /metrics}, in the Prometheus text format. */
    String metrics();

    /** {@code GET /health/live}: whether the process should go on living. */
    boolean live();

    /** {@code GET /health/ready}: whether it does its work now. */
    boolean ready();

    /** What else it does for whoever asks at its address. */
    default List<DirectCall> calls() {
        return List.of();
    }
}
