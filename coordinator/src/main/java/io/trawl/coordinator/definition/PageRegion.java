package io.trawl.coordinator.definition;

import io.trawl.model.InvalidValueException.Fault;
import java.util.Optional;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.jsoup.select.Selector;

/** The rule for a region of a page: a CSS selector, or an XPath expression behind {@code xpath:}. */
final class PageRegion {
    private static final String XPATH = "xpath:";

    private PageRegion() {}

    /** What is wrong with it; its field has no name yet. */
    static Optional<Fault> fault(String region) {
        try {
            if (region.startsWith(XPATH)) {
                XPathFactory.newInstance().newXPath().compile(region.substring(XPATH.length()));
            } else {
                Selector.evaluatorOf(region);
            }
            return Optional.empty();
        } catch (XPathExpressionException | RuntimeException e) {
            return Optional.of(new Fault("", region, "a CSS selector, or an XPath expression behind " + XPATH));
        }
    }
}
