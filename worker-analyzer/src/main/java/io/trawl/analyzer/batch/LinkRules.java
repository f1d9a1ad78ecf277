package io.trawl.analyzer.batch;

import io.trawl.admission.Refusal;
import io.trawl.analyzer.parse.ParsedPage.LinkTarget;
import io.trawl.api.LinkOptions;
import io.trawl.control.RequestOptionRules;
import io.trawl.model.FetchOptions;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.RefusalReason;
import io.trawl.model.Request;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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
        return faults.isEmpty()
                ? Optional.empty()
                : Optional.of(new Refusal(RefusalReason.MALFORMED, faults.stream().limit(SHOWN_FAULTS).map(Fault::text)
                        .collect(Collectors.joining("; ", "parser '" + link.parser() + "': ", ""))));
    }

    /** The options of the request of a link: its own, and the metadata of the page. */
    static FetchOptions options(LinkOptions own, Request from) {
        if (own.equals(LinkOptions.NONE)) {
            return from.options().inherited();
        }
        Map<String, String> metadata = new HashMap<>(from.options().metadata());
        metadata.putAll(own.metadata());
        return new FetchOptions(own.headers(), own.cookie(), own.waitTime(), own.proxy(), own.parser(), metadata,
                own.fetcher(), own.method(), own.body());
    }
}
