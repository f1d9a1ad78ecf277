package io.trawl.extract.markdown;

import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/**
 * A formula as its author wrote it: in the annotation or the alternative text of MathML, in a script of MathJax, in the
 * delimiters of LaTeX, or in the alternative text of an image of MediaWiki.
 *
 * @param display whether it is a paragraph of its own
 */
record Formula(String tex, boolean display) {
    private static final String ANY = "math, script[type^=math/tex], .math, .mwe-math-element, .katex";

    /** Whether an element has elements that may be formulas. They are looked for once, when it is asked first. */
    static BooleanSupplier anyIn(Element root) {
        return new BooleanSupplier() {
            private @Nullable Boolean known;

            @Override
            public boolean getAsBoolean() {
                Boolean found = known;
                if (found == null) {
                    found = root.selectFirst(ANY) != null;
                    known = found;
                }
                return found;
            }
        };
    }

    private static boolean isScript(Element element) {
        return element.normalName().equals("script") && element.attr("type").startsWith("math/tex");
    }

    /** The formula that the element is; empty if it is none, or its source is not in the page. */
    static Optional<Formula> of(Element element) {
        if (element.normalName().equals("math")) {
            return mathMl(element);
        }
        if (element.attributesSize() == 0) {
            return Optional.empty();
        }
        if (isScript(element)) {
            return formula(element.data(), element.attr("type").contains("mode=display"));
        }
        String names = element.attr("class");
        if (!names.contains("math") && !names.contains("katex")) {
            return Optional.empty();
        }
        if (element.hasClass("katex") || element.hasClass("mwe-math-element")) {
            Element math = element.selectFirst("math");
            Element image = element.selectFirst("img[alt]");
            return math != null ? mathMl(math) : image == null ? Optional.empty() : formula(image.attr("alt"), false);
        }
        return element.hasClass("math") ? delimited(element.text().strip()) : Optional.empty();
    }

    private static Optional<Formula> mathMl(Element math) {
        Element annotation = math.selectFirst("annotation[encoding*=tex]");
        return formula(annotation == null ? math.attr("alttext") : annotation.wholeText(),
                math.attr("display").equals("block"));
    }

    private static Optional<Formula> delimited(String text) {
        boolean display = text.startsWith("\\[") && text.endsWith("\\]");
        return text.length() > 4 && (display || text.startsWith("\\(") && text.endsWith("\\)"))
                ? formula(text.substring(2, text.length() - 2), display)
                : Optional.empty();
    }

    private static Optional<Formula> formula(String tex, boolean display) {
        String line = tex.strip().replaceAll("\\s+", " ");
        return line.isEmpty() ? Optional.empty() : Optional.of(new Formula(line, display));
    }
}
