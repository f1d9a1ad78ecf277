package io.trawl.downloader.frontier.inflight;

import io.trawl.direct.FrontierView.Silence;
import io.trawl.downloader.frontier.queue.HostQueue;
import io.trawl.downloader.frontier.queue.HostTable;
import io.trawl.downloader.politeness.UnresponsiveHosts;
import io.trawl.model.HostKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

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
    public record HostTrouble(TroubleKind kind, int hosts, long waiting, HostKey worst, Duration lasts, Optional<String> cause) {
        /** A sentence for people. */
        public String text(Instant now) {
            Instant since = now.minus(lasts).truncatedTo(ChronoUnit.SECONDS);
            String what = switch (kind) {
                case SILENT -> " has not answered since " + since + cause.map(why -> " (" + why + ")").orElse("");
                case SLOW -> " has been asked since " + since + " and has not answered yet";
                case CLOSED -> " is left alone until " + now.plus(lasts).truncatedTo(ChronoUnit.SECONDS)
                        + ", because of its Retry-After or errors";
            };
            return worst + what + (hosts == 1 ? "" : ", as " + (hosts - 1) + " more") + ": "
                    + (waiting == 1 ? "1 request waits" : waiting + " requests wait");
        }
    }

    public TroubledHosts(HostTable hostTable, UnresponsiveHosts unresponsiveHosts) {
        this.hostTable = hostTable;
        this.unresponsiveHosts = unresponsiveHosts;
    }

    /** The troubles of the hosts for which requests wait, at most one for each kind. */
    public List<HostTrouble> now(long now) {
        Map<TroubleKind, List<HostTrouble>> byKind = hostTable.hosts().stream().filter(host -> !host.empty())
                .flatMap(host -> trouble(host, now).stream())
                .collect(Collectors.groupingBy(HostTrouble::kind, TreeMap::new, Collectors.toList()));
        return byKind.values().stream().map(TroubledHosts::together).toList();
    }

    private Optional<HostTrouble> trouble(HostQueue host, long now) {
        Optional<Silence> silence = unresponsiveHosts.of(host.server(), now);
        if (silence.filter(s -> lasts(s.lasts())).isPresent()) {
            return silence.map(s -> trouble(host, TroubleKind.SILENT, s.lasts(), Optional.of(s.last())));
        }
        Duration inFlight = Duration.ofNanos(host.inFlight() > 0 ? host.pace().age(now) : 0);
        Duration closed = Duration.ofNanos(Math.max(0, host.pace().closedUntil() - now));
        if (lasts(inFlight)) {
            return Optional.of(trouble(host, TroubleKind.SLOW, inFlight, Optional.empty()));
        }
        return lasts(closed) ? Optional.of(trouble(host, TroubleKind.CLOSED, closed, Optional.empty())) : Optional.empty();
    }

    private static boolean lasts(Duration time) {
        return time.compareTo(FAULT) >= 0;
    }

    private static HostTrouble trouble(HostQueue host, TroubleKind kind, Duration lasts, Optional<String> cause) {
        long waiting = host.sizes().values().stream().mapToLong(Long::longValue).sum();
        return new HostTrouble(kind, 1, waiting, host.server(), lasts, cause);
    }

    private static HostTrouble together(List<HostTrouble> all) {
        HostTrouble worst = all.stream().max(Comparator.comparingLong(HostTrouble::waiting)).orElseThrow();
        return new HostTrouble(worst.kind(), all.size(), all.stream().mapToLong(HostTrouble::waiting).sum(), worst.worst(),
                worst.lasts(), worst.cause());
    }
}
