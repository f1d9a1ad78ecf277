package io.trawl.extract;

import com.vladsch.flexmark.html2md.converter.ExtensionConversion;
import com.vladsch.flexmark.html2md.converter.FlexmarkHtmlConverter;
import com.vladsch.flexmark.html2md.converter.HtmlNodeRendererHandler;
import com.vladsch.flexmark.util.data.MutableDataSet;
import com.vladsch.flexmark.util.format.TableFormatOptions;
import io.trawl.extract.Part.ElementPart;
import io.trawl.extract.Part.MainText;
import io.trawl.model.InvalidValueException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.NodeTraversor;

/**
 * HTML as Markdown: CommonMark, with the tables and strike-through of GitHub. Links and images are absolute; without a
 * web address a link is its text, and an image is left out. What gives no text is left out, too: scripts, forms,
 * frames, media. Pure functions.
 */
final class MarkdownText {
    private static final int MOST_NODES = 20_000;
    /** Markdown indents each line by the lists around it. */
    private static final int DEEPEST = 100;
    private static final int LONGEST_START = 9;
    private static final String WITHOUT_TEXT = "script, style, template, noscript, iframe, object, embed, svg, math, video, audio, canvas, input, select,"
            + " textarea, button, map, [hidden]";
    /** An attribute such as {@code colspan=1000000000} would fill the memory. */
    private static final Set<String> KEPT = Set.of("href", "src", "alt", "title", "start", "class");
    private static final Map<String, String> SAME = Map.of("s", "del", "strike", "del", "kbd", "code", "samp", "code",
            "tt", "code", "g-emoji", "span", "summary", "p", "details", "div", "figure", "div", "figcaption", "p");
    private static final FlexmarkHtmlConverter CONVERTER = FlexmarkHtmlConverter.builder(new MutableDataSet()
            .set(FlexmarkHtmlConverter.SETEXT_HEADINGS, false).set(FlexmarkHtmlConverter.OUTPUT_ATTRIBUTES_ID, false)
            .set(FlexmarkHtmlConverter.SKIP_ATTRIBUTES, true).set(FlexmarkHtmlConverter.TYPOGRAPHIC_QUOTES, false)
            .set(FlexmarkHtmlConverter.TYPOGRAPHIC_SMARTS, false).set(FlexmarkHtmlConverter.THEMATIC_BREAK, "---")
            .set(FlexmarkHtmlConverter.EXTRACT_AUTO_LINKS, false).set(FlexmarkHtmlConverter.NBSP_TEXT, " ")
            .set(FlexmarkHtmlConverter.DIV_TABLE_PROCESSING, false).set(FlexmarkHtmlConverter.RENDER_COMMENTS, false)
            .set(FlexmarkHtmlConverter.EXT_INLINE_INS, ExtensionConversion.TEXT)
            .set(FlexmarkHtmlConverter.EXT_INLINE_SUB, ExtensionConversion.TEXT)
            .set(FlexmarkHtmlConverter.EXT_INLINE_SUP, ExtensionConversion.TEXT)
            // A column as wide as its longest cell in every row would make megabytes of a small table.
            .set(TableFormatOptions.FORMAT_TABLE_ADJUST_COLUMN_WIDTH, false))
            .htmlNodeRendererFactory(_ -> MarkdownText::images).build();

    private MarkdownText() {}

    /**
     * The Markdown of an element, of the main text of a page, or of a text in HTML.
     *
     * @throws InvalidValueException if it has too many elements or levels
     */
    static String of(PageSource page, Part part) {
        Element copy = switch (part) {
            case ElementPart(Element element) -> bounded(element).clone();
            case MainText main -> bounded(main.markup().get()).clone();
            case Part.JsonPart _,Part.TextPart _ -> bounded(Jsoup.parseBodyFragment(part.text()).body());
        };
        Element body = Document.createShell("").body();
        body.appendChild(copy.normalName().equals("body") ? copy.tagName("div") : copy);
        prepare(page, body);
        try {
            return CONVERTER.convert(body).strip();
        } catch (RuntimeException e) {
            throw new InvalidValueException("", "the element", "HTML that can be written as Markdown: " + e);
        }
    }

    /** The converter would write {@code :x:} for an image whose file is called like an emoji. */
    private static Set<HtmlNodeRendererHandler<?>> images() {
        return Set.of(new HtmlNodeRendererHandler<>("img", Element.class,
                (image, _, out) -> out.append("![")
                        .append(image.attr("alt").strip().replaceAll("\\s+", " ").replaceAll("[\\\\\\[\\]]", "\\\\$0"))
                        .append("](").append(image.attr("src").replace("(", "%28").replace(")", "%29")).append(")")));
    }

    private static Element bounded(Element element) {
        int[] nodes = new int[1];
        NodeTraversor.traverse((_, depth) -> {
            if (++nodes[0] > MOST_NODES || depth > DEEPEST) {
                throw new InvalidValueException("", nodes[0] + " nodes, " + depth + " levels",
                        "at most " + MOST_NODES + " elements and texts, and " + DEEPEST + " levels, for Markdown");
            }
        }, element);
        return element;
    }

    private static void prepare(PageSource page, Element body) {
        body.select(WITHOUT_TEXT).remove();
        for (Element element : body.getAllElements()) {
            Optional.ofNullable(SAME.get(element.normalName())).ifPresent(element::tagName);
            for (Attribute attribute : element.attributes().asList()) {
                if (!KEPT.contains(attribute.getKey())
                        || attribute.getKey().equals("start") && attribute.getValue().length() > LONGEST_START) {
                    element.removeAttr(attribute.getKey());
                }
            }
        }
        body.select("img").forEach(image -> page.resolve(image.attr("src")).filter(_ -> image.hasAttr("src"))
                .ifPresentOrElse(url -> image.attr("src", url), image::remove));
        body.select("a").forEach(link -> page.resolve(link.attr("href")).filter(_ -> link.hasAttr("href"))
                .ifPresentOrElse(url -> link.attr("href", url), link::unwrap));
    }
}
