package io.trawl.standalone.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trawl.control.ControlRecord.End;
import io.trawl.control.ControlRecord.EndReason;
import io.trawl.coordinator.summary.CrawlSummary;
import io.trawl.coordinator.summary.Totals;
import io.trawl.model.Outcome.OutcomeKind;
import io.trawl.model.RefusalReason;
import io.trawl.testkit.FakeWeb;
import io.trawl.testkit.Output;
import io.trawl.testkit.SmallSite;
import io.trawl.testkit.SmallSite.ExpectedPage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks of the output and the totals of a crawl of the small site, for every kind of fleet. */
final class SmallSiteChecks {
    private final SmallSite site;
    private final int depth;
    private final Output output;

    SmallSiteChecks(SmallSite site, int depth, Output output) {
        this.site = site;
        this.depth = depth;
        this.output = output;
    }

    /** The output equals the expected set exactly, in every field that the site determines. */
    void output() {
        Map<String, JsonNode> pages = output.pages();
        assertThat(pages.keySet()).isEqualTo(new TreeSet<>(site.expectedPages(depth).keySet()));
        site.expectedPages(depth).values()
                .forEach(expected -> page(expected, requireNonNull(pages.get(expected.url()))));
        Map<String, String> errors = new HashMap<>();
        output.errors().forEach((url, line) -> {
            errors.put(url, line.path("kind").asText() + " " + line.path("status").asText());
            assertThat(line.path("mid").asText()).startsWith("D");
            assertThat(line.path("attempts").asInt()).isPositive();
            assertThat(line.path("cause").asText()).isNotBlank();
        });
        assertThat(errors).isEqualTo(site.expectedErrors(depth));
        assertThat(output.unfinished()).isEmpty();
    }

    private void page(ExpectedPage expected, JsonNode line) {
        assertThat(line.path("status").asInt()).isEqualTo(200);
        assertThat(line.path("depth").asInt()).as(expected.url()).isEqualTo(expected.depth());
        assertThat(line.path("contentType").asText()).startsWith(expected.contentType());
        assertThat(line.path("fetchedAt").asText()).matches("20\\d\\d-\\d\\d-\\d\\dT.*Z");
        if (expected.parents().isEmpty()) {
            assertThat(line.has("parent")).isFalse();
        } else {
            assertThat(expected.parents()).contains(line.path("parent").asText());
        }
        if (expected.title().isEmpty()) {
            assertThat(line.has("title") || line.has("links")).as("HTML fields of " + expected.url()).isFalse();
            assertThat(line.has("text")).as("text of " + expected.url())
                    .isEqualTo(expected.contentType().startsWith("text/"));
            return;
        }
        List<String> links = new ArrayList<>();
        line.path("links").forEach(l -> links.add(l.asText()));
        assertThat(links).as("links of " + expected.url()).isEqualTo(expected.links());
        assertThat(line.has("text")).as("text of " + expected.url()).isEqualTo(expected.text());
        if (expected.text()) {
            assertThat(line.path("title").asText()).isEqualTo(expected.title());
        }
    }

    /** The summary's sums agree with the output and with one another. */
    void summary(CrawlSummary summary) {
        Totals totals = summary.totals();
        Map<OutcomeKind, Long> outcomes = site.expectedOutcomes(depth);
        assertThat(summary.end()).map(End::reason).contains(EndReason.FINISHED);
        assertThat(totals.waiting()).isZero();
        assertThat(totals.emitted()).isEqualTo(totals.pages() + totals.repeats() + totals.redirects()
                + totals.httpErrors() + totals.failures() + totals.refused() + totals.duplicates());
        assertThat(totals.pages()).isEqualTo(outcomes.getOrDefault(OutcomeKind.PAGE, 0L));
        assertThat(totals.httpErrors()).isEqualTo(outcomes.getOrDefault(OutcomeKind.HTTP_ERROR, 0L));
        assertThat(totals.redirects()).isGreaterThanOrEqualTo(outcomes.getOrDefault(OutcomeKind.REDIRECT, 0L));
        assertThat(totals.refused()).isEqualTo(outcomes.getOrDefault(OutcomeKind.REFUSED, 0L));
        assertThat(totals.failures()).isZero();
        Map<RefusalReason, Long> refusals = summary.refusals();
        assertThat(refusals.getOrDefault(RefusalReason.ROBOTS, 0L))
                .isEqualTo(site.expectedRobotsRefusals(depth).size());
        assertThat(refusals.getOrDefault(RefusalReason.DOMAIN, 0L))
                .isGreaterThanOrEqualTo(site.expectedOutOfScope(depth).size());
        assertThat(summary.errorsByKind().keySet()).isEqualTo(new TreeSet<>(site.expectedErrors(depth).values()));
    }

    /** Forbidden URLs were not fetched, all others once (responses with 5xx are retried). */
    void visits(FakeWeb web) {
        Map<String, Long> counts = web.counts();
        Set<String> fetched = new TreeSet<>(counts.keySet());
        fetched.remove(site.leavingSeed());
        assertThat(fetched).isEqualTo(new TreeSet<>(site.expectedFetches(depth)));
        assertThat(fetched).doesNotContainAnyElementsOf(site.neverFetched());
        Set<String> often = counts.entrySet().stream().filter(e -> e.getValue() > 1).map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        often.removeAll(site.expectedErrors(depth).keySet());
        assertThat(often).as("fetched more than once").isEmpty();
    }
}
