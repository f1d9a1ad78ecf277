package io.trawl.analyzer.batch;

import io.trawl.admission.Refusal;
import io.trawl.analyzer.parse.ParsedPage.LinkTarget;
import io.trawl.api.LinkOptions;
import io.trawl.definition.CrawlVariables;
import io.trawl.definition.Hidden;
import io.trawl.definition.RequestOptionRules;
import io.trawl.model.FetchOptions;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The rules for the options that a parser gives a link: those of seeds. A link with an option that is not valid is not
 * followed: without it, the request could be answered with another page than the parser meant, and that would be the
 * only one of its request. Pure.
 *
 * @param levels number of priorities of the deployment
 */
record LinkRules(int levels) {
    private static final int SHOWN_FAULTS = 5;

    /** Why a link is not followed; empty if its options are valid. Names the parser and each field, value and rule. */
    Optional<Refusal> refusal(LinkTarget link, Request from) {
        if (link.options().equals(LinkOptions.NONE)) {
            return Optional.empty();
        }
        List<Fault> faults = new ArrayList<>(RequestOptionRules.faults(options(link.options(), from)));
        link.options().priority().filter(p -> p < 0 || p >= levels)
                .ifPresent(p -> faults.add(new Fault("priority", p.toString(), "0 to " + (levels - 1))));
        references(link.options(), from.options()).forEach(faults::add);
        return faults.isEmpty()
                ? Optional.empty()
                : Optional.of(new Refusal(RefusalReason.MALFORMED, faults.stream().limit(SHOWN_FAULTS).map(Fault::text)
                        .collect(Collectors.joining("; ", "parser '" + link.parser() + "': ", ""))));
    }

    /**
     * References to secrets: a parser may have copied them from the text of a page. Those of the page's own request may
     * be passed on, since the user wrote them.
     */
    private static Stream<Fault> references(LinkOptions own, FetchOptions from) {
        Set<String> known = new HashSet<>(from.headers().values());
        Stream.of(from.cookie(), from.proxy()).flatMap(Optional::stream).forEach(known::add);
        return Stream
                .concat(own.headers().entrySet().stream(),
                        Stream.of(Map.entry("cookie", own.cookie().orElse("")),
                                Map.entry("proxy", own.proxy().orElse(""))))
                .filter(option -> CrawlVariables.in(option.getValue()) && !known.contains(option.getValue()))
                .map(option -> new Fault(option.getKey(), Hidden.TEXT,
                        "no reference to a variable: only definitions and seeds have those"));
    }

    /** The options of the request of a link: its own, and the metadata of the page. */
    static FetchOptions options(LinkOptions own, Request from) {
        if (own.equals(LinkOptions.NONE)) {
            return from.options().inherited();
        }
        Map<String, String> metadata = new HashMap<>(from.options().inheritedMetadata());
        metadata.putAll(own.metadata());
        return FetchOptions.NONE.with().headers(own.headers()).cookie(own.cookie()).waitTime(own.waitTime())
                .proxy(own.proxy()).parser(own.parser()).metadata(metadata).fetcher(own.fetcher()).method(own.method())
                .body(own.body()).build();
    }
}
