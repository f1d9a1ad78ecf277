package io.trawl.analyzer.extract;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jsoup.nodes.Element;
import org.jsoup.select.Evaluator;

/** Finds the fragments of a page that lead to its headings. Pure functions. */
final class HeadingIds {
    private static final Evaluator IS_HEADING = new Evaluator() {
        @Override
        public boolean matches(Element root, Element element) {
            return Clutter.HEADINGS.contains(element.normalName());
        }
    };
    private static final int MOST = 1_000;
    private static final int LONGEST = 200;
    /** How many boxes may begin with a heading. */
    private static final int BOXES = 4;

    private HeadingIds() {}

    /**
     * The headings of an element in their order, each with its text and an id: its own, else that of an anchor in it or
     * right before it, else that of a box which begins with it. Those without one are left out, as are those beyond
     * {@value #MOST}.
     */
    static List<Map<String, String>> of(Element content) {
        List<Map<String, String>> found = new ArrayList<>();
        for (Element heading : content.select(IS_HEADING)) {
            Optional<String> id = within(heading).or(() -> before(heading, content));
            String text = heading.text();
            if (id.isPresent() && !text.isEmpty() && text.length() <= LONGEST && found.size() < MOST) {
                found.add(Map.of("heading", text, "id", id.get()));
            }
        }
        return found;
    }

    private static Optional<String> within(Element heading) {
        return id(heading).or(() -> heading.children().stream().flatMap(child -> id(child).stream()).findFirst());
    }

    private static Optional<String> before(Element heading, Element content) {
        Element at = heading;
        for (int box = 0; box < BOXES && at != content; box++) {
            Element previous = at.previousElementSibling();
            if (previous != null) {
                return previous.hasText() ? Optional.empty() : id(previous);
            }
            Element outer = at.parent();
            if (outer == null || outer == content) {
                return Optional.empty();
            }
            Optional<String> id = id(outer);
            if (id.isPresent()) {
                return id;
            }
            at = outer;
        }
        return Optional.empty();
    }

    private static Optional<String> id(Element element) {
        String id = element.id().isEmpty() && element.normalName().equals("a") ? element.attr("name") : element.id();
        return id.isBlank() || id.length() > LONGEST || id.chars().anyMatch(Character::isWhitespace)
                ? Optional.empty()
                : Optional.of(id);
    }
}
