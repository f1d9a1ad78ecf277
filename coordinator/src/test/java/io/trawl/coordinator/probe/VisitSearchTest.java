package io.trawl.coordinator.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.trawl.admission.HostKeyFactory;
import io.trawl.control.ControlRecord.CrawlStatus;
import io.trawl.control.CrawlState;
import io.trawl.definition.CrawlDefinition;
import io.trawl.model.CrawlRun;
import io.trawl.model.KnownItems;
import io.trawl.model.Request;
import io.trawl.model.Request.RequestId;
import io.trawl.model.RequestBuilder;
import io.trawl.model.Visit;
import io.trawl.model.Visit.PageState;
import io.trawl.model.VisitBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class VisitSearchTest {
    private static final CrawlRun RUN = CrawlRun.parse("docs/7");
    private static final String URL = "https://example.org/";

    private static List<String> told(Visit visit) {
        Request next = RequestBuilder.builder().id(new RequestId(1)).run(RUN).url(URL).host(HostKeyFactory.of(URL))
                .seed(true).visit(Optional.of(visit)).build();
        ExplanationBuilder explanation = Explanation.begin();
        VisitSearch.explain(explanation, CrawlStatus.of(RUN, 1, CrawlDefinition.of(List.of()), CrawlState.STOPPED),
                next);
        return explanation.build().story();
    }

    @Test
    void aPageWithItemsSaysWhichRunHasStoredThemLast() {
        assertThat(told(VisitBuilder.builder().number(6).state(PageState.STORED)
                .items(Optional.of(new KnownItems(3, "", Optional.empty(), Optional.empty()))).build())).first()
                .asString()
                .startsWith("It was visited 6 times, and has items, stored last by run 3; the next visit asks");
    }
}
