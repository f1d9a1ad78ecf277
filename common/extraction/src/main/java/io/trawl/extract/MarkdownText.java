package io.trawl.extract;

import io.trawl.extract.Part.ElementPart;
import io.trawl.extract.Part.MainText;
import io.trawl.extract.markdown.Markdown;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;

/**
 * HTML as Markdown: of an element, of the main text of a page, or of a text in HTML. What gives no text is left out,
 * too: forms, frames, media. Pure functions.
 */
final class MarkdownText {
    private static final Set<String> WITHOUT_TEXT = Set.of("noscript", "iframe", "object", "embed", "video", "audio",
            "input", "select", "textarea", "button", "map");

    private MarkdownText() {}

    static String of(PageSource page, Part part) {
        return switch (part) {
            case ElementPart(Element element) -> Markdown.of(element, page::resolve, MarkdownText::withoutText);
            case MainText main -> Markdown.of(main.markup().get(), page::resolve, _ -> false);
            case Part.JsonPart _,Part.TextPart _ ->
                Markdown.of(Jsoup.parseBodyFragment(part.text()).body(), page::resolve, MarkdownText::withoutText);
        };
    }

    private static boolean withoutText(Element element) {
        return WITHOUT_TEXT.contains(element.normalName()) || element.hasAttr("hidden")
                || element.hasClass("katex-html");
    }
}
