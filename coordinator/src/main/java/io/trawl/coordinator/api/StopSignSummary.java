package io.trawl.coordinator.api;

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
 * A stop sign and who has dealt with it (S4). A module deals once, when what it had in flight under the sign is done; one that has died, so that its
 * lease ran out, is no longer counted and no longer waited for.
 *
 * @param crawl whose sign it is; absent for that of the fleet
 * @param version grows with each signing and reset; 0: never signed
 * @param at when it was signed, or reset, last
 * @param dealTotal the sum of the deals
 * @param deals how often each live module has dealt, by MID
 * @param waiting the live modules that have not dealt yet
 * @param complete whether the sign stands and every live module has dealt
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record StopSignSummary(Optional<CrawlId> crawl, long version, boolean signed, Optional<Instant> at, int dealTotal,
        Map<String, Integer> deals, List<MID> waiting, boolean complete) {
    /** A sign that was never signed. */
    public static StopSignSummary unsigned(Optional<CrawlId> crawl) {
        return new StopSignSummary(crawl, 0, false, Optional.empty(), 0, Map.of(), List.of(), false);
    }

    /** A sign, as the live modules have dealt with it. */
    public static StopSignSummary of(StopSign sign, List<Registration> live) {
        if (!sign.signed()) {
            return new StopSignSummary(sign.crawl(), sign.version(), false, Optional.of(sign.at()), 0, Map.of(), List.of(),
                    false);
        }
        Map<String, Integer> deals = new TreeMap<>();
        live.stream().filter(module -> dealt(module, sign)).forEach(module -> deals.put(module.mid().toString(), 1));
        List<MID> waiting = live.stream().filter(module -> !dealt(module, sign)).map(Registration::mid).toList();
        return new StopSignSummary(sign.crawl(), sign.version(), true, Optional.of(sign.at()), deals.size(), deals, waiting,
                waiting.isEmpty());
    }

    private static boolean dealt(Registration module, StopSign sign) {
        return module.deals().getOrDefault(sign.key(), 0L) >= sign.version();
    }
}
