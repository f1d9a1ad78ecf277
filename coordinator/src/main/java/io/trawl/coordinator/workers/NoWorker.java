package io.trawl.coordinator.workers;

import io.trawl.model.ModuleKind;
import java.util.List;

/** No worker of a kind answers. Its message is meant to be shown as it is. */
public final class NoWorker extends RuntimeException {
    /** @param tried what became of each call, in words for people */
    public NoWorker(ModuleKind kind, List<String> tried) {
        super(tried.isEmpty()
                ? "no " + kind.word() + " is registered"
                : "no " + kind.word() + " answers: " + String.join("; ", tried));
    }
}
