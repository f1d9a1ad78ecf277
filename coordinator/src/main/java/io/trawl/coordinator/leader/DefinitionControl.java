package io.trawl.coordinator.leader;

import io.trawl.definition.sink.SinkDefinition;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.definition.CrawlDefinition;
import io.trawl.control.CrawlState;
import io.trawl.definition.CrawlVariables;
import io.trawl.coordinator.definition.DefinitionChanges;
import io.trawl.coordinator.definition.DefinitionTag;
import io.trawl.coordinator.definition.DefinitionTag.Expectation;
import io.trawl.coordinator.definition.DefinitionText;
import io.trawl.coordinator.definition.InvalidDefinitionException;
import io.trawl.coordinator.definition.WrittenDefinition;
import io.trawl.coordinator.lifecycle.LifecycleCommands;
import io.trawl.coordinator.lifecycle.NewRun;
import io.trawl.coordinator.lifecycle.RunContinuation;
import io.trawl.coordinator.probe.WaitingRequestCheck;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.http.CallRefusedException;
import io.trawl.model.CrawlId;
import io.trawl.model.InvalidValueException.Fault;
import io.trawl.telemetry.ProcessLog.LogKeys;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the REST interface's calls that concern definitions. Commands that only the leader may carry out throw
 * {@link io.trawl.coordinator.lifecycle.LeaderThread.NotLeadingException} elsewhere. Thread-safe; calls block. Each
 * command is run by the current term of {@code leaderElection}.
 */
public record DefinitionControl(CoordinatorContext parts, LeaderElection leaderElection, CrawlSummaries summaries,
        SinkTopics topics, WaitingRequestCheck waitingRequests, VisitCounter visits) {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionControl.class);

    /** The result of a definition: the crawl, whether it is new, and the tag of its definition. */
    public record DefinedCrawl(CrawlSummary summary, boolean created, String tag) {}

    /** The definition of a crawl without its secrets, and its tag. */
    public record ShownDefinition(CrawlDefinition definition, String tag) {}

    /** Makes the topics of sinks. */
    @FunctionalInterface
    public interface SinkTopics {
        /** Returns when they exist. @throws KafkaException with the reason, if one cannot be made */
        void make(Collection<SinkDefinition> sinks) throws InterruptedException;
    }

    /**
     * Defines a crawl, or attaches to the one that exists. Leader only.
     *
     * @throws DefinitionTag.ChangedMeanwhileException if it is not as expected
     */
    public DefinedCrawl define(CrawlId crawl, WrittenDefinition written, boolean start, NewRun newRun,
            Expectation expectation) throws InterruptedException {
        return define(crawl, written, start, newRun, expectation, Optional.empty());
    }

    /** Defines and starts a crawl that continues a run of another. Leader only. */
    public void defineContinuation(CrawlId crawl, CrawlDefinition definition, RunContinuation of)
            throws InterruptedException {
        define(crawl, WrittenDefinition.of(definition), true, NewRun.NONE, Expectation.NONE, Optional.of(of));
    }

    private DefinedCrawl define(CrawlId crawl, WrittenDefinition written, boolean start, NewRun newRun,
            Expectation expectation, Optional<RunContinuation> continuation) throws InterruptedException {
        // No topic is made by a coordinator that does not lead.
        leaderElection.term();
        LifecycleCommands.DefinitionOutcome definitionOutcome = placed(written,
                () -> CrawlControl.counted(parts.refusals(), () -> {
                    CrawlDefinition definition = written.complete(crawl, parts.rules(),
                            parts.controlState().crawl(crawl).map(CrawlStatus::definition));
                    makeTopics(definition);
                    return leaderElection.decide(term -> {
                        Optional<CrawlStatus> now = parts.controlState().crawl(crawl);
                        expectation.check(crawl, now);
                        parts.quotas().define(crawl);
                        if (now.isEmpty() || newRun != NewRun.NONE) {
                            parts.quotas().seed(crawl, definition.starts().size());
                        }
                        if (start && now.filter(c -> c.state() == CrawlState.STARTED).isEmpty()) {
                            parts.quotas().start(crawl);
                        }
                        return term.commands().define(crawl, definition, start, newRun, continuation);
                    });
                }));
        CrawlSummary summary = summaries.summary(definitionOutcome.status());
        if (definitionOutcome.created()) {
            summary.notes().forEach(note -> LOG.atWarn().addKeyValue(LogKeys.CRAWL, crawl).log("{}: {}", crawl, note));
        }
        return new DefinedCrawl(summary, definitionOutcome.created(), DefinitionTag.of(definitionOutcome.status()));
    }

    /** Before the definition is in force, so that no pipeline looks for them in vain. */
    private void makeTopics(CrawlDefinition definition) throws InterruptedException {
        List<SinkDefinition> sinks = definition.sinks().stream().filter(sink -> sink.topic().isPresent()).toList();
        if (sinks.isEmpty()) {
            return;
        }
        try {
            topics.make(sinks);
        } catch (KafkaException e) {
            String names = sinks.stream().flatMap(sink -> sink.topic().stream()).collect(Collectors.joining(", "));
            throw new InvalidDefinitionException(
                    List.of(new Fault("sinks", names, "topics that exist or can be made: " + e.getMessage())), 0);
        }
    }

    /**
     * Changes a definition by a merge patch. Leader only.
     *
     * @throws DefinitionTag.ChangedMeanwhileException if it is not as expected, or others change it at the same time
     */
    public DefinedCrawl patch(CrawlId crawl, DefinitionText patch, Expectation expectation)
            throws InterruptedException {
        CrawlStatus known = parts.controlState().known(crawl);
        expectation.check(crawl, Optional.of(known));
        return define(crawl, WrittenDefinition.patched(known.definition(), patch, CrawlVariables.ofProcess()), false,
                NewRun.NONE, new Expectation(Optional.of(DefinitionTag.of(known)), Optional.empty()));
    }

    /**
     * What a definition would change, after the checks of {@link #define}; nothing is changed. Leader only.
     *
     * @throws InvalidDefinitionException with every fault
     * @throws DefinitionTag.ChangedMeanwhileException if the crawl is not as expected
     */
    public DefinitionChanges changes(CrawlId crawl, WrittenDefinition written, Expectation expectation)
            throws InterruptedException {
        Optional<CrawlStatus> now = parts.controlState().crawl(crawl);
        Optional<CrawlDefinition> known = now.map(CrawlStatus::definition);
        return placed(written, () -> {
            CrawlDefinition complete = written.complete(crawl, parts.rules(), known);
            CrawlDefinition wanted = known.map(complete::withSecretsOf).orElse(complete);
            parts.rules().check(crawl, wanted);
            expectation.check(crawl, now);
            DefinitionChanges changes = DefinitionChanges.of(crawl, known, wanted);
            return now.isPresent()
                    ? withDue(waitingRequests.judged(changes, now.get(), wanted), now.get(), wanted)
                    : changes;
        });
    }

    /** With the pages that other rules for refreshes make due, unless none are visited again. */
    private DefinitionChanges withDue(DefinitionChanges changes, CrawlStatus now, CrawlDefinition wanted)
            throws InterruptedException {
        if (changes.newRun() || wanted.refresh().isEmpty()
                || wanted.refreshRules().equals(now.definition().refreshRules())) {
            return changes;
        }
        try {
            return changes.withDue(visits.due(now, wanted));
        } catch (KafkaException | CallRefusedException e) {
            return changes
                    .withNotes(Stream
                            .concat(changes.notes().stream(),
                                    Stream.of("How many pages are due is not known now (" + e.getMessage() + ")."))
                            .toList());
        }
    }

    /** The same for a merge patch of a crawl's definition. Leader only. */
    public DefinitionChanges patchChanges(CrawlId crawl, DefinitionText patch, Expectation expectation)
            throws InterruptedException {
        return changes(crawl, WrittenDefinition.patched(parts.controlState().known(crawl).definition(), patch,
                CrawlVariables.ofProcess()), expectation);
    }

    /**
     * The definition of a crawl.
     *
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is none
     */
    public ShownDefinition definition(CrawlId crawl) throws InterruptedException {
        CrawlStatus status = parts.controlState().known(crawl);
        return new ShownDefinition(status.definition().hidden(), DefinitionTag.of(status));
    }

    /**
     * Applies a crawl file: defines its crawl, and starts it unless a user has stopped it or not started it. Leader
     * only.
     *
     * @param digest is noted, so that the file is applied once
     */
    void apply(CrawlId crawl, DefinitionText file, String digest) throws InterruptedException {
        Optional<CrawlStatus> now = parts.controlState().crawl(crawl);
        boolean start = now.isEmpty() || now.get().end().filter(end -> end.reason() != EndReason.ASKED).isPresent();
        define(crawl, read(file), start, NewRun.NONE, Expectation.NONE);
        leaderElection.decide(term -> {
            term.applied(crawl, digest);
            return true;
        });
    }

    /** Names the places of faults in what a user wrote. */
    private static <T> T placed(WrittenDefinition written, CrawlControl.Push<T> push) throws InterruptedException {
        try {
            return push.run();
        } catch (InvalidDefinitionException e) {
            throw written.placed(e);
        }
    }

    /** Reads a definition as a user wrote it. @throws io.trawl.codec.MalformedRecordException if it is no object */
    public WrittenDefinition read(DefinitionText text) {
        return WrittenDefinition.read(text, CrawlVariables.ofProcess());
    }
}
