package io.trawl.coordinator.definition;

import io.trawl.definition.Hidden;
import io.trawl.definition.RequestOptionRules;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.model.Request;
import io.trawl.model.Seed;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rules for a seed's options: those of every request, its depth, and that a value that was hidden stands for a
 * known one. Pure.
 */
public final class SeedRules {
    private SeedRules() {}

    /** The faults of a seed's options, at most {@link FaultCollector#MOST}; admission checks URL and priority. */
    public static List<Fault> faults(Seed seed) {
        Optional<Fault> depth = seed.depth().filter(d -> d < 0 || d > Request.LARGEST_DEPTH)
                .map(d -> new Fault("depth", d.toString(), "0 to " + Request.LARGEST_DEPTH));
        Optional<Fault> proxy = seed.proxy().filter(Hidden::in).map(p -> new Fault("proxy", p, Hidden.RULE));
        return Stream.of(RequestOptionRules.faults(seed.options()).stream(), hidden(seed.headers(), seed.cookie()),
                depth.stream(), proxy.stream()).flatMap(faults -> faults).limit(FaultCollector.MOST).toList();
    }

    /** The faults of headers and a cookie that stand for values that are not known. */
    static Stream<Fault> hidden(Map<String, String> headers, Optional<String> cookie) {
        return Stream.concat(
                headers.entrySet().stream().filter(header -> header.getValue().equals(Hidden.TEXT))
                        .map(header -> new Fault("headers." + header.getKey(), Hidden.TEXT, Hidden.RULE)),
                cookie.filter(Hidden.TEXT::equals).map(c -> new Fault("cookie", c, Hidden.RULE)).stream());
    }
}
