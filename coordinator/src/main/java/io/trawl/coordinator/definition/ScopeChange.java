package io.trawl.coordinator.definition;

import io.trawl.definition.CrawlDefinition;
import io.trawl.scope.ScopeRules;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What the author of a changed scope should know. Pure. */
public final class ScopeChange {
    static final String FINAL = "A request that waits and is not in scope any more is refused at its turn, without a fetch. "
            + "That is final for this run.";
    static final String PAST = "A wider scope does not bring back links of pages that are analysed already: it holds for pages "
            + "that are still to come.";

    private ScopeChange() {}

    /** What a changed scope does not do, or does for good; empty if it stays. */
    public static List<String> notes(CrawlDefinition before, CrawlDefinition after) {
        List<String> notes = new ArrayList<>();
        if (narrows(before, after)) {
            notes.add(FINAL);
        }
        if (narrows(after, before)) {
            notes.add(PAST);
        }
        return notes;
    }

    /**
     * Whether the second may refuse what the first admits. Rules of which the first that matches counts do both when
     * they change.
     */
    private static boolean narrows(CrawlDefinition before, CrawlDefinition after) {
        ScopeRules first = before.scopeRules();
        ScopeRules second = after.scopeRules();
        return lacks(first.exclude(), second.exclude()) || lacks(first.skipped(), second.skipped())
                || !second.include().isEmpty()
                        && (first.include().isEmpty() || lacks(second.include(), first.include()))
                || !first.maxDepth().equals(second.maxDepth())
                || !before.scope().maxPages().equals(after.scope().maxPages())
                || !before.scope().wantedTypes().equals(after.scope().wantedTypes())
                || !before.scope().languageRules().equals(after.scope().languageRules());
    }

    private static boolean lacks(Collection<?> all, Collection<?> of) {
        return !all.containsAll(of);
    }
}
