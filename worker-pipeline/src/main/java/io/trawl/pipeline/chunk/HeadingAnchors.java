package io.trawl.pipeline.chunk;

import io.trawl.pipeline.chunk.MarkdownBlocks.HeadingText;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The ids of headings, by their text: of several with one text the first has the first id. Letters and digits are
 * compared, since Markdown has signs that the page does not show. So a processor may take sections out. Confined to one
 * thread.
 */
public final class HeadingAnchors {
    private final Map<String, Queue<String>> byText = new HashMap<>();

    private HeadingAnchors() {}

    /** Those of the field {@code headingIds} of an item; none if it is absent or has another form. */
    static HeadingAnchors of(@Nullable Object field) {
        HeadingAnchors anchors = new HeadingAnchors();
        if (field instanceof List<?> all) {
            for (Object one : all) {
                if (one instanceof Map<?, ?> pair && pair.get("heading") instanceof String text
                        && pair.get("id") instanceof String id) {
                    anchors.byText.computeIfAbsent(key(text), _ -> new ArrayDeque<>()).add(id);
                }
            }
        }
        return anchors;
    }

    /** A heading with the next id of its text, if it has none yet. */
    HeadingText with(HeadingText heading) {
        Queue<String> ids = byText.get(key(heading.text()));
        String id = ids == null ? null : ids.poll();
        return id == null || heading.id().isPresent() ? heading : new HeadingText(heading.text(), Optional.of(id));
    }

    private static String key(String text) {
        StringBuilder key = new StringBuilder(text.length());
        text.codePoints().filter(Character::isLetterOrDigit).forEach(key::appendCodePoint);
        return key.toString();
    }
}
