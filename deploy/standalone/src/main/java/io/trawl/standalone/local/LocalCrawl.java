package io.trawl.standalone.local;

import io.trawl.admission.Candidate;
import io.trawl.definition.CrawlDefinition;
import io.trawl.definition.RequestOptionRules;
import io.trawl.model.CrawlId;
import io.trawl.model.CrawlRun;
import io.trawl.model.Request;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Request.RequestId;
import io.trawl.standalone.crawl.CrawlFile;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A crawl that is only tried.
 *
 * @param run a name for its items
 * @param accepted its domains
 */
public record LocalCrawl(CrawlRun run, CrawlDefinition definition, Set<String> accepted) {
    private static final CrawlRun NO_RUN = new CrawlRun(new CrawlId("preview"), 1);

    /** That of a file. Without domains and seeds it accepts that of the URL. */
    static LocalCrawl of(CrawlFile file, Candidate.Open target) {
        Set<String> domains = file.domains();
        return new LocalCrawl(new CrawlRun(file.crawl(), 1), file.definition(),
                domains.isEmpty() ? Set.of(target.domain()) : domains);
    }

    /** The defaults, and the domain of the URL. */
    static LocalCrawl of(Candidate.Open target) {
        return new LocalCrawl(NO_RUN, CrawlDefinition.of(List.of()), Set.of(target.domain()));
    }

    /**
     * The request of a URL, with the options of its seed or sitemap if it is one.
     *
     * @param fetcher instead of that of the crawl
     */
    public Request request(Candidate.Open target, Optional<String> fetcher) {
        return RequestBuilder.builder().id(new RequestId(0)).run(run).url(target.url()).host(target.host()).seed(true)
                .options(RequestOptionRules.fetchedBy(definition.optionsOf(target.url()), fetcher)).build();
    }
}
