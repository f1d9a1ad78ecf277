package io.trawl.coordinator.definition;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.trawl.codec.Json;
import io.trawl.codec.MalformedRecordException;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlVariables;
import io.trawl.coordinator.definition.DefinitionText.Place;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.Fault;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A definition as a user wrote it (S13), and the places of its faults in it. Each part that {@link DefinitionDecoder}
 * cannot decode is left out and reported, so that the rules can still check the rest.
 *
 * @param definition the decoded parts
 * @param faults the first parts that cannot be decoded
 * @param more the number of further such parts
 * @param text what the user wrote, in which faults have their places
 */
public record WrittenDefinition(CrawlDefinition definition, List<Fault> faults, long more,
        Optional<DefinitionText> text) {
    /** A definition without faults that no user wrote. */
    public static WrittenDefinition of(CrawlDefinition definition) {
        return new WrittenDefinition(definition, List.of(), 0, Optional.empty());
    }

    /**
     * Reads a text.
     *
     * @param variables for values that are no secrets
     * @throws MalformedRecordException if it is no object
     */
    public static WrittenDefinition read(DefinitionText text, CrawlVariables variables) {
        FaultCollector faults = new FaultCollector();
        return read(object(text, variables, faults), text, faults);
    }

    private static WrittenDefinition read(ObjectNode written, DefinitionText text, FaultCollector faults) {
        CrawlDefinition decoded = new DefinitionDecoder(faults).decode(written);
        return new WrittenDefinition(decoded, faults.faults(), faults.more(), Optional.of(text));
    }

    /**
     * A definition with changes by a merge patch (RFC 7396): groups are merged, other values are replaced, and null
     * stands for the default.
     *
     * @param known as it is changed; its hidden values stand for themselves
     * @param variables for values that are no secrets
     * @throws MalformedRecordException if the patch is no object
     */
    public static WrittenDefinition patched(CrawlDefinition known, DefinitionText patch, CrawlVariables variables) {
        FaultCollector faults = new FaultCollector();
        ObjectNode merged = Json.mapper().valueToTree(known.hidden());
        merge(merged, object(patch, variables, faults));
        return read(merged, patch, faults);
    }

    /** What a user wrote. A text as {@code fetch} is the name of the fetcher. */
    private static ObjectNode object(DefinitionText text, CrawlVariables variables, FaultCollector faults) {
        ObjectNode written = text.tree(faults);
        new DefinitionReferences(variables, faults).resolve(written);
        if (written.get("fetch") instanceof TextNode fetcher) {
            written.putObject("fetch").set("fetcher", fetcher);
        }
        return written;
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue() instanceof ObjectNode group) {
                ObjectNode into = target.get(field.getKey()) instanceof ObjectNode known ? known : target.objectNode();
                merge(into, group);
                target.set(field.getKey(), into);
            } else {
                target.set(field.getKey(), field.getValue());
            }
        });
    }

    /**
     * The definition, if it has no faults.
     *
     * @param rules checked against the decoded parts if there are faults, so that all faults are reported
     * @param known the previous definition of the crawl
     * @throws InvalidDefinitionException with every fault
     */
    public CrawlDefinition complete(CrawlId crawl, DefinitionRules rules, Optional<CrawlDefinition> known) {
        if (faults.isEmpty()) {
            return definition;
        }
        try {
            rules.check(crawl, known.map(definition::withSecretsOf).orElse(definition));
        } catch (InvalidDefinitionException e) {
            throw with(e);
        }
        throw new InvalidDefinitionException(faults, more);
    }

    /** The parts that cannot be decoded, and the rules that others break. */
    private InvalidDefinitionException with(InvalidDefinitionException broken) {
        FaultCollector all = new FaultCollector();
        all.addAll(faults, more);
        all.addAll(
                broken.faults().stream().filter(f -> faults.stream().noneMatch(unread -> causes(unread, f))).toList(),
                broken.more());
        return new InvalidDefinitionException(all.faults(), all.more());
    }

    /**
     * Whether a rule may be broken since a part was left out: it is about that, what is around it, or what was not
     * given.
     */
    private static boolean causes(Fault unread, Fault broken) {
        String element = outer(broken.field());
        return around(broken.field(), unread.field()) || around(unread.field(), broken.field())
                || broken.value().isEmpty() && element.endsWith("]") && around(element, unread.field());
    }

    private static boolean around(String part, String other) {
        return part.equals(other) || other.startsWith(part + ".");
    }

    /**
     * Checks a definition that was made of this one by changes.
     *
     * @throws InvalidDefinitionException with every fault of both, those of this text with their places
     */
    public void check(CrawlId crawl, CrawlDefinition changed, DefinitionRules rules) {
        try {
            rules.check(crawl, changed);
        } catch (InvalidDefinitionException e) {
            throw placed(with(e));
        }
        if (!faults.isEmpty()) {
            throw placed(new InvalidDefinitionException(faults, more));
        }
    }

    /**
     * The same faults with their places in the text: of the field, or else of the innermost part around it that is
     * there.
     */
    public InvalidDefinitionException placed(InvalidDefinitionException invalid) {
        if (text.isEmpty()) {
            return invalid;
        }
        Set<String> wanted = invalid.faults().stream()
                .flatMap(f -> Stream.iterate(f.field(), p -> !p.isEmpty(), WrittenDefinition::outer))
                .collect(Collectors.toSet());
        Map<String, Place> places = text.get().places(wanted);
        return invalid.named(fault -> fault.line().isPresent()
                ? fault
                : Stream.iterate(fault.field(), p -> !p.isEmpty(), WrittenDefinition::outer).map(places::get)
                        .filter(Objects::nonNull).findFirst().map(at -> fault.at(at.line(), at.column()))
                        .orElse(fault));
    }

    /** {@code seeds[0]} for {@code seeds[0].url}; nothing for {@code seeds}. */
    private static String outer(String path) {
        return path.substring(0, Math.max(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('['))));
    }
}
