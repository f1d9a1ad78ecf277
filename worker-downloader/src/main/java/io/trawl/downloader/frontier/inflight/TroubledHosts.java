package io.trawl.downloader.frontier.inflight;

import io.trawl.direct.FrontierView.Silence;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.HostTable;
import io.trawl.downloader.politeness.UnresponsiveHosts;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the hosts that hold up their requests, for people. Changes nothing; belongs to the frontier's thread, which it takes for a moment even with many hosts. */
public final class TroubledHosts {
    /** What lasts less is usual. */
    private static final Duration FAULT = Duration.ofSeconds(15);
    private final HostTable hostTable;
    private final UnresponsiveHosts unresponsiveHosts;

    /** How a host holds up its requests. */
    public enum TroubleKind {
        /** Its last exchanges had no answer. */
        SILENT,
        /** An exchange with it is under way. */
        SLOW,
        /** It is left alone because of its Retry-After, or after errors. */
        CLOSED
    }

    /**
     * The hosts of one kind.
     *
     * @param hosts how many
     * @param waiting requests that wait for them
     * @param worst the host for which most wait
     * @param lasts how long that has been silent or slow, or will be closed
     * @param cause the last failure of that; empty if it had none
     */
    public record HostTrouble(TroubleKind kind, int hosts, long waiting, HostKey worst, Duration lasts, Optional<String> cause) {}

    private record Troubled(TroubleKind kind, HostKey host, long waiting, Duration lasts, Optional<String> cause) {}

    public TroubledHosts(HostTable hostTable, UnresponsiveHosts unresponsiveHosts) {
        this.hostTable = hostTable;
        this.unresponsiveHosts = unresponsiveHosts;
    }

    /** The troubles of the hosts for which requests wait, at most one for each kind. */
    public List<HostTrouble> now(long now) {
        Map<TroubleKind, List<Troubled>> byKind = new EnumMap<>(TroubleKind.class);
        for (HostQueue host : hostTable.hosts()) {
            if (!host.empty()) {
                troubled(host, now).ifPresent(found -> byKind.computeIfAbsent(found.kind(), _ -> new ArrayList<>()).add(found));
            }
        }
        return byKind.values().stream().map(TroubledHosts::together).toList();
    }

    private Optional<Troubled> troubled(HostQueue host, long now) {
        Optional<Silence> silence = unresponsiveHosts.of(host.server(), now).filter(s -> lasts(s.lasts()));
        if (silence.isPresent()) {
            return silence.map(s -> troubled(host, TroubleKind.SILENT, s.lasts(), Optional.of(s.last())));
        }
        Optional<Duration> inFlight = host.pace().inFlightFor(now).filter(TroubledHosts::lasts);
        if (inFlight.isPresent()) {
            return inFlight.map(time -> troubled(host, TroubleKind.SLOW, time, Optional.empty()));
        }
        return Optional.of(Duration.ofNanos(Math.max(0, host.pace().closedUntil() - now))).filter(TroubledHosts::lasts)
                .map(time -> troubled(host, TroubleKind.CLOSED, time, Optional.empty()));
    }

    private static boolean lasts(Duration time) {
        return time.compareTo(FAULT) >= 0;
    }

    private static Troubled troubled(HostQueue host, TroubleKind kind, Duration lasts, Optional<String> cause) {
        return new Troubled(kind, host.server(), host.sizes().values().stream().mapToLong(Long::longValue).sum(), lasts, cause);
    }

    private static HostTrouble together(List<Troubled> all) {
        Troubled worst = all.stream().max(Comparator.comparingLong(Troubled::waiting)).orElseThrow();
        return new HostTrouble(worst.kind(), all.size(), all.stream().mapToLong(Troubled::waiting).sum(), worst.host(),
                worst.lasts(), worst.cause());
    }
}
