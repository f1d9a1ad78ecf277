package io.trawl.coordinator.definition;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.soabase.recordbuilder.core.RecordBuilder;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trawl.admission.AcceptedName;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.Refusal;
import io.trawl.admission.UrlNormalizer;
import io.trawl.codec.Json;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.Request.RequestIdentity;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What a definition would change in a crawl.
 *
 * @param crawl its id
 * @param exists whether there is such a crawl; if not, {@code changes} lists what differs from the defaults
 * @param changes the fields with another value, by their names
 * @param waiting what would become of the requests that wait; empty: the rules for them stay, or they cannot be read
 * now
 * @param due how many pages other rules for refreshes make due; empty: the rules stay, or no visits are kept
 * @param notes what the author of a changed scope should know
 */
@RecordBuilder
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record DefinitionChanges(CrawlId crawl, boolean exists, List<FieldChange> changes,
        Optional<WaitingRefusals> waiting, Optional<DueChange> due,
        List<String> notes) implements DefinitionChangesBuilder.With {
    /** The field of the accepted domains. */
    public static final String DOMAINS = "scope.domains";
    /** The field of the depth limit. */
    public static final String DEPTH = "limits.depth";
    private static final String IDENTITY = "identity";
    private static final String SEEDS = "seeds";
    private static final int MOST_ELEMENTS = 20;

    /**
     * One field that changes.
     *
     * @param field as in the definition: {@code limits.maxPages}
     * @param before its value now, without secrets; of a list the elements that only this one has, at most
     * {@value #MOST_ELEMENTS}; empty: the default
     * @param after the same of its new value
     * @param newRun whether the value identifies the run, so that it changes only with a new one
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    public record FieldChange(String field, Optional<JsonNode> before, Optional<JsonNode> after, boolean newRun) {}

    /**
     * What a changed scope would refuse of what waits.
     *
     * @param waiting how many requests wait
     * @param lookedAt how many of them were judged
     * @param refused how many of these would be refused at their turn
     * @param byRule the same by the text of the rule
     */
    public record WaitingRefusals(long waiting, long lookedAt, long refused, Map<String, Long> byRule) {}

    /**
     * Pages that other rules for refreshes make due.
     *
     * @param pages how many have a next visit
     * @param before how many of these are due now
     * @param after how many would be due now
     */
    public record DueChange(long pages, long before, long after) {}

    /** Whether only a new run takes it. */
    @JsonIgnore
    public boolean newRun() {
        return changes.stream().anyMatch(FieldChange::newRun);
    }

    /**
     * Compares a definition with that of a crawl.
     *
     * @param known the crawl's definition; empty if there is no such crawl
     * @param wanted with all its secrets
     */
    public static DefinitionChanges of(CrawlId crawl, Optional<CrawlDefinition> known, CrawlDefinition wanted) {
        CrawlDefinition before = known.orElseGet(() -> CrawlDefinition.of(List.of()));
        Set<String> newRun = known.map(k -> ofRun(k, wanted)).orElse(Set.of());
        Set<String> changed = new TreeSet<>();
        differences("", tree(before),
                tree(known.isPresent() && newRun.isEmpty() ? wanted.identifiedBy(before) : wanted), changed);
        JsonNode shownBefore = tree(before.hidden());
        JsonNode shownAfter = tree(wanted.hidden());
        return new DefinitionChanges(crawl, known.isPresent(),
                changed.stream()
                        .map(path -> change(path, shownBefore.at(JsonPointer.compile(path)),
                                shownAfter.at(JsonPointer.compile(path)), newRun))
                        .toList(),
                Optional.empty(), Optional.empty(), List.of());
    }

    /** The fields that identify a run in which two definitions differ, however they are written. */
    public static Set<String> ofRun(CrawlDefinition known, CrawlDefinition wanted) {
        Set<String> fields = new LinkedHashSet<>();
        if (!identities(known).equals(identities(wanted))) {
            fields.add(SEEDS);
        }
        if (!names(known).equals(names(wanted))) {
            fields.add(DOMAINS);
        }
        if (!known.limits().depth().equals(wanted.limits().depth())) {
            fields.add(DEPTH);
        }
        if (!known.identity().equals(wanted.identity())) {
            fields.add(IDENTITY);
        }
        return fields;
    }

    private static Set<String> identities(CrawlDefinition definition) {
        return definition.seeds().stream()
                .map(seed -> RequestIdentity.of(seed.url().map(DefinitionChanges::normal).orElse(""), seed.options()))
                .collect(Collectors.toSet());
    }

    private static String normal(String url) {
        return switch (UrlNormalizer.normalize(url)) {
            case NormalUrl normal -> normal.text();
            case Refusal refusal -> url;
        };
    }

    private static Set<String> names(CrawlDefinition definition) {
        return definition.scope().domains().stream().map(d -> AcceptedName.of(DOMAINS, d)).collect(Collectors.toSet());
    }

    private static JsonNode tree(CrawlDefinition definition) {
        return Json.mapper().valueToTree(definition);
    }

    /** Collects the JSON Pointers of what differs: of values and lists, which are not compared element by element. */
    private static void differences(String path, JsonNode before, JsonNode after, Set<String> into) {
        if (before instanceof ObjectNode || after instanceof ObjectNode) {
            Stream.of(before, after).flatMap(node -> node.properties().stream()).map(field -> field.getKey()).distinct()
                    .forEach(name -> differences(path + "/" + name.replace("~", "~0").replace("/", "~1"),
                            before.path(name), after.path(name), into));
        } else if (!before.equals(after)) {
            into.add(path);
        }
    }

    private static FieldChange change(String path, JsonNode before, JsonNode after, Set<String> newRun) {
        String field = path.substring(1).replace('/', '.').replace("~1", "/").replace("~0", "~");
        return new FieldChange(field, only(before, after), only(after, before), newRun.contains(field));
    }

    private static Optional<JsonNode> only(JsonNode of, JsonNode other) {
        if (!(of instanceof ArrayNode elements)) {
            return of.isMissingNode() ? Optional.empty() : Optional.of(of);
        }
        Set<JsonNode> known = Set.copyOf(StreamSupport.stream(other.spliterator(), false).distinct().toList());
        List<JsonNode> own = new ArrayList<>();
        elements.forEach(element -> {
            if (!known.contains(element)) {
                own.add(element);
            }
        });
        ArrayNode shown = Json.mapper().createArrayNode().addAll(own.subList(0, Math.min(own.size(), MOST_ELEMENTS)));
        if (own.size() > MOST_ELEMENTS) {
            shown.add("and " + (own.size() - MOST_ELEMENTS) + " more");
        }
        return Optional.of(shown);
    }
}
