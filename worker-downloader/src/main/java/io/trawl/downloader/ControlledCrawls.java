package io.trawl.downloader;

import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.ControlView;
import io.trawl.control.ControlView.Standing;
import io.trawl.downloader.fetch.FetchProfile;
import io.trawl.downloader.frontier.Crawls;
import io.trawl.model.CrawlRun;
import java.util.Optional;

/** What the {@code control} topic says about runs. Thread-safe. */
record ControlledCrawls(ControlView control) implements Crawls {
    @Override
    public Terms terms(CrawlRun run) {
        Standing standing = control.standing(run);
        Optional<CrawlStatus> crawl = control.crawl(run.crawl()).filter(c -> c.run().equals(run));
        if (standing != Standing.PRESENT || crawl.isEmpty()) {
            return Terms.absent(standing);
        }
        var definition = crawl.get().definition();
        FetchProfile profile = new FetchProfile(definition.userAgent(), definition.profile(), definition.proxy());
        return new Terms(standing, control.fetches(run), definition.delay(), profile, definition.depthMode());
    }
}
