package io.trawl.extract.markdown;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jsoup.nodes.Element;

/** The links and images of a page, as far as they lead to a web address. */
final class References {
    private final Function<String, Optional<String>> resolve;
    private final List<String> urls = new ArrayList<>();

    References(Function<String, Optional<String>> resolve) {
        this.resolve = resolve;
    }

    /** The number of a new link, from 1; 0 if the element is none. */
    int link(Element link) {
        Optional<String> url = link.hasAttr("href") ? resolve.apply(link.attr("href")) : Optional.empty();
        url.ifPresent(urls::add);
        return url.isPresent() ? urls.size() : 0;
    }

    /** The targets of the links, that of the first one first. */
    List<String> urls() {
        return urls;
    }

    /** The Markdown of an image; empty if it has no address. */
    Optional<String> image(Element image, BooleanSupplier formulas) {
        Optional<String> url = image.hasAttr("src") ? resolve.apply(image.attr("src")) : Optional.empty();
        return url.map(target -> "![" + InlineWriter.alternative(image.attr("alt"), formulas) + "]("
                + LinkDestination.of(target) + ")");
    }
}
