package io.trawl.coordinator.api;

import io.trawl.codec.Json;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.http.Call;
import io.trawl.http.Route.BodyRule;
import java.util.Set;

/** Which bodies the REST interface reads. A page of another site cannot send their types without asking first. */
final class ApiBodies {
    private static final int LARGEST = 1 << 20;
    private static final int LARGEST_LIST = 32 << 20;
    /**
     * An estimate of what one byte of JSON like {@code [{},{},...]} takes; bounded, since {@link Json#readBounded}
     * bounds the number of values.
     */
    private static final int EXPANSION = 50;
    private static final String YAML = "application/yaml";
    /** A body means nothing. */
    static final BodyRule NONE = of();
    /** JSON. */
    static final BodyRule JSON = of("application/json");
    /** A merge patch (RFC 7396). */
    static final BodyRule MERGE_PATCH = of("application/merge-patch+json");
    /** A definition, in JSON or in YAML (RFC 9512): a record of {@code control}, which is not larger. */
    static final BodyRule DEFINITION = of("application/json", YAML);
    /** Seeds: a list as a whole, or lines as they come. */
    static final BodyRule SEEDS = new BodyRule(Set.of("application/json"), LARGEST_LIST, SeedPieces.TYPES, EXPANSION);

    private ApiBodies() {}

    private static BodyRule of(String... types) {
        return new BodyRule(Set.of(types), LARGEST, Set.of(), EXPANSION);
    }

    /** The definition in a body. */
    static DefinitionText definition(Call call) {
        return call.hasType(Set.of(YAML)) ? DefinitionText.yaml(call.body()) : DefinitionText.json(call.body());
    }
}
