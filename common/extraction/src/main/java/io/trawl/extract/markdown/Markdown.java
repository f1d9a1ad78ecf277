package io.trawl.extract.markdown;

import io.trawl.admission.UrlNormalizer;
import io.trawl.api.Page;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jsoup.nodes.Element;

/**
 * HTML as Markdown: CommonMark 0.31, with the tables and strike-through of GitHub. The words are those of the element,
 * in their order, and code is as it stands in the page. What CommonMark has no sign for is HTML: superscripts,
 * subscripts, and line breaks in the cells of tables. Formulas are TeX between dollar signs, if the page has their TeX.
 *
 * <p>
 * Takes time and memory in proportion to the element. Pure functions, which do not change the element.
 */
public final class Markdown {
    private Markdown() {}

    /**
     * The Markdown of an element.
     *
     * @param resolve gives the absolute URL of a reference on the page; without one a link is its text, and an image is
     * left out
     * @param skips selects elements to leave out with all their descendants; scripts, styles and templates always are
     */
    public static String of(Element element, Function<String, Optional<String>> resolve, Predicate<Element> skips) {
        return BlockWriter.write(new BlockReader(element, resolve, skips).read());
    }

    /** The Markdown of the main text of a page. @param base against which its references are resolved */
    public static String of(Element element, Page page, String base) {
        return of(element,
                reference -> page.resolve(base, reference).map(url -> url + UrlNormalizer.fragment(reference)),
                _ -> false);
    }
}
