package io.trawl.coordinator.text;

import io.trawl.coordinator.probe.Explanation;
import java.util.List;

/** The explanation of a URL or a host, in sentences. Pure functions. */
public final class ExplanationText {
    private ExplanationText() {}

    /** The sentences, each on a line. */
    public static List<String> of(Explanation explanation) {
        return explanation.story().stream().map(TerminalText::safe).toList();
    }
}
