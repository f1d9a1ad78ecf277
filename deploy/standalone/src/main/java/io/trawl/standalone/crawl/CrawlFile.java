package io.trawl.standalone.crawl;

import io.trawl.codec.MalformedRecordException;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.CrawlVariables;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.coordinator.definition.FaultCollector;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException;
import io.trawl.model.InvalidValueException.Fault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A crawl file of the user.
 *
 * @param path as the user named it
 * @param written what stands in it, which may have faults
 */
public record CrawlFile(Path path, WrittenDefinition written) {
    /**
     * Reads a file, with the variables of this process; empty, with a fault added, if it is no object in YAML or JSON.
     */
    static Optional<CrawlFile> read(Path path, FaultCollector faults) {
        try {
            DefinitionText text = DefinitionText.of(path, DefinitionText.bytes(path));
            return Optional.of(new CrawlFile(path, WrittenDefinition.read(text, CrawlVariables.ofProcess())));
        } catch (IOException e) {
            faults.addAll(List.of(new Fault("--file", path.toString(), "a file that can be read")), 0);
        } catch (MalformedRecordException e) {
            faults.addAll(List.of(named(path, e.fault().orElse(new Fault("", "", String.valueOf(e.getMessage()))))), 0);
        }
        return Optional.empty();
    }

    /** A file without faults. @throws InvalidDefinitionException with every fault */
    public static CrawlFile checked(Path path) {
        FaultCollector faults = new FaultCollector();
        Optional<CrawlFile> read = read(path, faults);
        read.ifPresent(file -> file.check(faults));
        faults.check();
        return read.orElseThrow();
    }

    /** The domains that the crawl accepts: its own, or else those of its seeds. */
    public Set<String> domains() {
        return DefinitionOptions.RULES.check(crawl(), definition());
    }

    /**
     * The crawl that it defines: its name without the ending. @throws InvalidValueException if that cannot be the name
     * of a crawl
     */
    public CrawlId crawl() {
        try {
            return DefinitionText.crawl(path);
        } catch (InvalidValueException e) {
            throw new InvalidValueException("--file", path.toString(),
                    "a file whose name without the ending can be that of a crawl (" + e.rule()
                            + "), or any with a name given");
        }
    }

    /** The parts that can be read. */
    public CrawlDefinition definition() {
        return written.definition();
    }

    /** Adds all faults that it has by itself. */
    void check(FaultCollector faults) {
        try {
            written.check(crawl(), written.definition(), DefinitionOptions.RULES);
        } catch (InvalidDefinitionException e) {
            faults.addAll(e.faults().stream().map(this::named).toList(), e.more());
        } catch (InvalidValueException e) {
            faults.addAll(List.of(e.fault()), 0);
        }
    }

    /** The fault with the name of the file, the line and the column before that of the field, as compilers write it. */
    public Fault named(Fault fault) {
        return named(path, fault);
    }

    private static Fault named(Path path, Fault fault) {
        String place = path + fault.line().map(line -> ":" + line).orElse("")
                + fault.column().map(column -> ":" + column).orElse("");
        return fault.of(fault.field().isEmpty() ? place : place + ": " + fault.field());
    }
}
