package io.trawl.coordinator.leader;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.trawl.admission.Normalized.NormalUrl;
import io.trawl.admission.UrlNormalizer;
import io.trawl.control.StopSign;
import io.trawl.control.StopSign.SignScope;
import io.trawl.coordinator.lifecycle.ControlState;
import io.trawl.coordinator.lifecycle.ControlWriter;
import io.trawl.coordinator.summary.StopSignSummary;
import io.trawl.model.CrawlId;
import io.trawl.coordinator.call.ModuleCalls.UnknownModuleException;
import io.trawl.model.InvalidValueException;
import io.trawl.model.MID;
import io.trawl.model.ModuleKind;
import io.trawl.module.Registrar;
import io.trawl.module.Registration;
import io.trawl.module.StopSignHistory;
import io.trawl.module.StopSignHistory.StopSignNote;
import io.trawl.time.Time;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads stop signs (S4), and sets those of the fleet, of hosts and of modules. While one is set, downloaders do not
 * fetch what is in its scope, regardless of the states of the crawls, which do not change; after its reset they
 * continue. The registrar reports which modules have drained for them. Thread-safe, but changes belong to the leader's
 * thread; the others block.
 */
public record StopSignControl(ControlState controlState, Registrar registrar, StopSignHistory notes, Time time) {
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^\\s/:?#@\\[\\]]+)(:[1-9][0-9]{0,4})?");

    /**
     * The answer to a call that sets a sign.
     *
     * @param first whether this call has set the sign: false if it was set before
     */
    public record Signed(boolean first, @JsonUnwrapped StopSignSummary sign) {}

    /**
     * The sign of the fleet, set or not, the signs of all crawls that were ever stopped, and those of hosts and modules
     * that are set.
     */
    public List<StopSignSummary> all() {
        KnownSigns known = known();
        Stream<StopSignSummary> others = controlState.stopSigns().stream()
                .filter(s -> s.crawl().isPresent() || s.signed() && !s.scope().fleet())
                .map(s -> StopSignSummary.of(s, known.live(), known.notes()));
        return Stream.concat(Stream.of(summary(SignScope.FLEET, known)), others).toList();
    }

    /** Whether a sign of this key was ever set. */
    public boolean known(String key) {
        return controlState.stopSigns().stream().anyMatch(sign -> sign.key().equals(key));
    }

    /** The sign of a scope, with its history. */
    public StopSignSummary of(SignScope scope) {
        KnownSigns known = known();
        return summary(scope, known).withHistory(scope.key(), known.notes());
    }

    /**
     * The sign of a crawl, with its history.
     *
     * @throws io.trawl.coordinator.lifecycle.ControlState.UnknownCrawlException if there is no such crawl
     */
    public StopSignSummary of(CrawlId crawl) throws InterruptedException {
        controlState.known(crawl);
        return of(SignScope.of(crawl));
    }

    /**
     * The scope of a host, of a module, or of the fleet.
     *
     * @param host a name or an address, with or without a port
     * @param module a MID, or its part before the address
     * @throws InvalidValueException if both are given, or the host is none
     * @throws UnknownModuleException if no module is live or has a sign with that name
     */
    public SignScope scope(Optional<String> host, Optional<String> module) {
        if (host.isPresent() && module.isPresent()) {
            throw new InvalidValueException("module", module.get(), "given without a host: a sign has one scope");
        }
        return host.map(StopSignControl::ofHost).or(() -> module.map(this::ofModule)).orElse(SignScope.FLEET);
    }

    private static SignScope ofHost(String host) {
        return SignScope.ofHost(hostName(host));
    }

    /**
     * A host in normal form.
     *
     * @throws InvalidValueException if it is none
     */
    static String hostName(String host) {
        Matcher parts = HOST.matcher(host);
        if (parts.matches() && UrlNormalizer.normalize("http://" + parts.group(1) + "/") instanceof NormalUrl url) {
            String name = url.text().substring("http://".length(), url.text().length() - 1);
            return name + Optional.ofNullable(parts.group(2)).orElse("");
        }
        throw new InvalidValueException("host", host, "a host name or address, with or without a port");
    }

    private SignScope ofModule(String name) {
        Stream<MID> signed = controlState.stopSigns().stream().filter(StopSign::signed)
                .flatMap(s -> s.module().stream());
        return Stream.concat(registrar.all().stream().map(Registration::mid), signed).filter(mid -> mid.isNamed(name))
                .findFirst().map(SignScope::of).orElseThrow(() -> new UnknownModuleException(name));
    }

    /**
     * Sets a sign, and resets the signs of modules that have left: a name is never used twice.
     *
     * @param known read before: the caller that sets the sign gets its answer even if Redis does not answer afterwards
     * @return whether this call has set it
     * @throws LastCoordinatorException if no coordinator would be left to reset it
     */
    public boolean sign(ControlWriter controlWriter, SignScope scope, KnownSigns known) {
        List<MID> live = known.live().stream().map(Registration::mid).toList();
        controlState.stopSigns().stream()
                .filter(sign -> sign.signed() && sign.module().filter(mid -> !live.contains(mid)).isPresent())
                .map(StopSign::scope).toList().forEach(gone -> write(controlWriter, gone, false));
        scope.module().filter(mid -> mid.kind() == ModuleKind.COORDINATOR).ifPresent(mid -> requireAnother(mid, live));
        return write(controlWriter, scope, true);
    }

    private boolean write(ControlWriter controlWriter, SignScope scope, boolean signed) {
        boolean current = controlState.stopSign(scope).filter(StopSign::signed).isPresent();
        if (current == signed) {
            return false;
        }
        controlWriter.write(new StopSign(scope, controlState.nextVersion(scope.key()), signed, time.now()));
        return true;
    }

    private void requireAnother(MID coordinator, List<MID> live) {
        if (live.stream().noneMatch(mid -> mid.kind() == ModuleKind.COORDINATOR && !mid.equals(coordinator)
                && controlState.stopSign(SignScope.of(mid)).filter(StopSign::signed).isEmpty())) {
            throw new LastCoordinatorException(coordinator);
        }
    }

    /** Resets a sign, if it is set: what it has stopped continues. */
    public StopSignSummary reset(ControlWriter controlWriter, SignScope scope) {
        write(controlWriter, scope, false);
        return summary(scope, new KnownSigns(List.of(), List.of()));
    }

    /** The only coordinator cannot be stopped by a sign, since no other could reset it. */
    public static final class LastCoordinatorException extends RuntimeException {
        LastCoordinatorException(MID coordinator) {
            super(coordinator
                    + " is the only coordinator without a stop sign: no other could reset it; end its process instead");
        }
    }

    /** What Redis knows of signs. */
    public record KnownSigns(List<Registration> live, List<StopSignNote> notes) {}

    /** Asks Redis. */
    public KnownSigns known() {
        return new KnownSigns(registrar.all(), notes.all());
    }

    /** The sign of a scope, without its history. */
    public StopSignSummary summary(SignScope scope, KnownSigns known) {
        return controlState.stopSign(scope).map(s -> StopSignSummary.of(s, known.live(), known.notes()))
                .orElse(StopSignSummary.unsigned(scope));
    }
}
