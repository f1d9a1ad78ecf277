package io.trawl.coordinator.leader;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.summary.StopSignSummary;
import io.trawl.model.CrawlId;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import io.trawl.module.StopSignHistory;
import io.trawl.module.StopSignHistory.StopSignNote;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads and sets stop signs (S4), of one crawl or of the fleet. The registrar reports which modules have drained for
 * them. Thread-safe; calls block.
 */
public final class StopSignControl {
    private final ControlState controlState;
    private final Registrar registrar;
    private final StopSignHistory notes;
    private final LeaderElection leaderElection;

    /**
     * The answer to a call that sets a sign.
     *
     * @param first whether this call has set the sign: false if it was set before
     */
    public record Signed(boolean first, @JsonUnwrapped StopSignSummary sign) {}

    /** Each change is run by the current term of {@code leaderElection}. */
    public StopSignControl(ControlState controlState, Registrar registrar, StopSignHistory notes,
            LeaderElection leaderElection) {
        this.controlState = controlState;
        this.registrar = registrar;
        this.notes = notes;
        this.leaderElection = leaderElection;
    }

    /** The sign of the fleet, set or not, and the signs of all crawls that were ever stopped. */
    public List<StopSignSummary> all() {
        Known known = known();
        Stream<StopSignSummary> crawls = controlState.stopSigns().stream().filter(s -> s.crawl().isPresent())
                .map(s -> StopSignSummary.of(s, known.live(), known.notes()));
        return Stream.concat(Stream.of(summary(Optional.empty(), known)), crawls).toList();
    }

    /** The sign of the fleet, with its history. */
    public StopSignSummary ofFleet() {
        return withHistory(Optional.empty());
    }

    /**
     * The sign of a crawl, with its history.
     *
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is no such crawl
     */
    public StopSignSummary of(CrawlId crawl) throws InterruptedException {
        controlState.known(crawl);
        return withHistory(Optional.of(crawl));
    }

    /** Sets the sign of the whole fleet. Leader only. */
    public Signed sign() throws InterruptedException {
        LeaderTerm leaderTerm = leaderElection.term();
        // Read first: the caller that sets the sign must get it even if Redis does not answer afterwards.
        Known known = known();
        boolean first = leaderTerm.call(() -> leaderTerm.fleetSign().sign());
        return new Signed(first, summary(Optional.empty(), known));
    }

    /** Resets the sign of the fleet: all crawls continue in their states. Leader only. */
    public StopSignSummary reset() throws InterruptedException {
        LeaderTerm leaderTerm = leaderElection.term();
        leaderTerm.call(() -> {
            leaderTerm.fleetSign().reset();
            return true;
        });
        return summary(Optional.empty(), new Known(List.of(), List.of()));
    }

    /** What Redis knows of signs. */
    private record Known(List<Registration> live, List<StopSignNote> notes) {}

    private Known known() {
        return new Known(registrar.all(), notes.all());
    }

    private StopSignSummary withHistory(Optional<CrawlId> crawl) {
        Known known = known();
        return summary(crawl, known).withHistory(StopSign.key(crawl), known.notes());
    }

    private StopSignSummary summary(Optional<CrawlId> crawl, Known known) {
        return controlState.stopSign(crawl).map(s -> StopSignSummary.of(s, known.live(), known.notes()))
                .orElse(StopSignSummary.unsigned(crawl));
    }
}
