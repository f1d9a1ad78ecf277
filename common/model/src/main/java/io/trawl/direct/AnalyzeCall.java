package io.trawl.direct;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.CrawlRun;
import io.trawl.model.InvalidValueException;
import java.util.Optional;
import java.util.Set;

/**
 * How a response is to be analysed by {@code POST /analyze} at an analyzer. The body of the call is this as JSON on the
 * first line, then a {@link FramedResponse}; the answer is an {@link AnalyzeAnswer}.
 *
 * @param definition whose depth, user agent and text setting hold
 * @param run whose accepted domains and ledger are asked; empty: nothing is asked, and {@code accepted} says all
 * @param accepted the domains that are accepted if there is no run
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record AnalyzeCall(CrawlDefinition definition, Optional<CrawlRun> run, Set<String> accepted) {
    /** Where it is asked. */
    public static final String PATH = "/analyze";

    /** Copies the domains. @throws InvalidValueException if there is no definition */
    @SuppressWarnings("ConstantValue")
    public AnalyzeCall {
        if (definition == null) {
            throw new InvalidValueException("definition", "", "a crawl definition");
        }
        accepted = accepted == null ? Set.of() : Set.copyOf(accepted);
    }
}
