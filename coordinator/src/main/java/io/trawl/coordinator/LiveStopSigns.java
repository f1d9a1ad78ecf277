package io.trawl.coordinator;

import io.trawl.control.ControlRecord.StopSign;
import io.trawl.coordinator.api.StopSignDesk;
import io.trawl.coordinator.api.StopSignSummary;
import io.trawl.model.CrawlId;
import io.trawl.module.Registration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Signs and resets, and knows who has dealt. Thread-safe. */
final class LiveStopSigns implements StopSignDesk {
    private final CoordinatorParts parts;
    private final Leadership leadership;

    LiveStopSigns(CoordinatorParts parts, Leadership leadership) {
        this.parts = parts;
        this.leadership = leadership;
    }

    @Override
    public List<StopSignSummary> all() {
        List<Registration> live = live();
        Stream<StopSignSummary> crawls = parts.book().stopSigns().stream().filter(s -> s.crawl().isPresent())
                .map(s -> StopSignSummary.of(s, live));
        return Stream.concat(Stream.of(summary(Optional.empty(), live)), crawls).toList();
    }

    @Override
    public StopSignSummary of(CrawlId crawl) throws InterruptedException {
        parts.known(crawl);
        return summary(Optional.of(crawl), live());
    }

    @Override
    public Signed sign() throws InterruptedException {
        Reign reign = leadership.reign();
        // Asked for first: whoever learns that he was the first must get the sign with it.
        List<Registration> live = live();
        boolean first = reign.call(() -> reign.fleetSign().sign());
        return new Signed(first, summary(Optional.empty(), live));
    }

    @Override
    public StopSignSummary reset() throws InterruptedException {
        Reign reign = leadership.reign();
        reign.call(() -> {
            reign.fleetSign().reset();
            return true;
        });
        return summary(Optional.empty(), List.of());
    }

    private StopSignSummary summary(Optional<CrawlId> crawl, List<Registration> live) {
        Optional<StopSign> sign = parts.book().stopSign(crawl);
        return sign.map(s -> StopSignSummary.of(s, live)).orElse(StopSignSummary.unsigned(crawl));
    }

    private List<Registration> live() {
        return parts.context().registrar().all();
    }
}
