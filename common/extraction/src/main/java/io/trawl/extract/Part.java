package io.trawl.extract;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.function.Supplier;
import org.jsoup.nodes.Element;

/** What a source finds in a page. */
sealed interface Part {
    /** As text for a reader. */
    String text();

    /** As it is written in the page. */
    String source();

    /** An element of HTML or XML. */
    record ElementPart(Element element) implements Part {
        private static final Set<String> DATA = Set.of("script", "style", "textarea", "template");

        @Override
        public String text() {
            return DATA.contains(element.normalName()) ? element.data() + element.wholeOwnText() : element.text();
        }

        @Override
        public String source() {
            return element.outerHtml();
        }
    }

    /** A value of JSON. */
    record JsonPart(JsonNode value) implements Part {
        @Override
        public String text() {
            return value.isValueNode() ? value.asText() : value.toString();
        }

        @Override
        public String source() {
            return text();
        }
    }

    /** The main text of a page. @param markup the elements that it was read of */
    record MainText(String text, Supplier<Element> markup) implements Part {
        @Override
        public String source() {
            return markup.get().outerHtml();
        }
    }

    /** A text. */
    record TextPart(String text) implements Part {
        @Override
        public String source() {
            return text;
        }
    }
}
