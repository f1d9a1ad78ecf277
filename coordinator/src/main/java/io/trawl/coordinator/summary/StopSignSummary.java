package io.trawl.coordinator.summary;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.trawl.control.ControlRecord.StopSign;
import io.trawl.model.CrawlId;
import io.trawl.model.MID;
import io.trawl.module.Registration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A stop sign and the modules that have drained for it (S4). A module drains once: it reports a deal when its work in
 * flight under the sign is done. A module whose lease has expired is not counted and not waited for.
 *
 * @param crawl the crawl of the sign; absent for the fleet's
 * @param version grows with each set and reset; 0: never set
 * @param at the time of the last set or reset
 * @param dealTotal the sum of {@code deals}
 * @param deals the deals of each live module, by MID
 * @param waiting the live modules that have not drained yet
 * @param complete whether the sign is set and every live module has drained
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record StopSignSummary(Optional<CrawlId> crawl, long version, boolean signed, Optional<Instant> at, int dealTotal,
        Map<String, Integer> deals, List<MID> waiting, boolean complete) {
    /** Fills in fields that a coordinator of another version does not report. */
    public StopSignSummary {
        deals = requireNonNullElse(deals, Map.of());
        waiting = requireNonNullElse(waiting, List.of());
    }

    /** A sign that was never set. */
    public static StopSignSummary unsigned(Optional<CrawlId> crawl) {
        return new StopSignSummary(crawl, 0, false, Optional.empty(), 0, Map.of(), List.of(), false);
    }

    /** A sign and the deals of the live modules. */
    public static StopSignSummary of(StopSign sign, List<Registration> live) {
        if (!sign.signed()) {
            return new StopSignSummary(sign.crawl(), sign.version(), false, Optional.of(sign.at()), 0, Map.of(), List.of(),
                    false);
        }
        Map<String, Integer> deals = new TreeMap<>();
        live.stream().filter(module -> drained(module, sign)).forEach(module -> deals.put(module.mid().toString(), 1));
        List<MID> waiting = live.stream().filter(module -> !drained(module, sign)).map(Registration::mid).toList();
        return new StopSignSummary(sign.crawl(), sign.version(), true, Optional.of(sign.at()), deals.size(), deals, waiting,
                waiting.isEmpty());
    }

    private static boolean drained(Registration module, StopSign sign) {
        return module.deals().getOrDefault(sign.key(), 0L) >= sign.version();
    }
}
