package io.trawl.downloader.generation;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.definition.CrawlVariables;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.RunStatus;
import io.trawl.control.RunVisits;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.frontier.CrawlTerms;
import io.trawl.model.CrawlRun;
import java.util.Optional;

/** The terms of runs, from the {@code control} topic. Thread-safe. */
record ControlTopicTerms(ControlView control, CrawlVariables variables) implements CrawlTerms {
    @Override
    public Terms terms(CrawlRun run) {
        RunStatus runStatus = control.status(run);
        Optional<CrawlStatus> crawl = control.crawl(run.crawl()).filter(c -> c.run().equals(run));
        if (runStatus != RunStatus.PRESENT || crawl.isEmpty()) {
            return Terms.absent(runStatus);
        }
        var definition = crawl.get().definition();
        return new Terms(runStatus, control.fetches(run), definition.fetch().delay(),
                FetchProfile.of(definition.fetch(), variables).withMediaTypes(definition.scope().wantedTypes())
                        .with(profile -> profile.archived(definition.archives())
                                .plain(crawl.get().visits().filter(RunVisits::plain).isPresent())),
                crawl.get().depthMode(), definition.limits().host(), definition.weight(),
                definition.limits().countsFetches(), new TermsOfScope(crawl.get().version(), definition.scopeRules(),
                        definition.scope().maxPages(), definition.scope().requisiteRules().budget()),
                definition.identity());
    }
}
