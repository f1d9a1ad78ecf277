package io.trawl.coordinator.lifecycle;

import io.trawl.control.RunVisits.PromotedVisits;
import io.trawl.model.CrawlId;

/**
 * What a refresh would do that begins now.
 *
 * @param refreshes the epoch of the run whose pages it would visit
 * @param visits what would become of their visits
 */
public record RefreshPlan(CrawlId crawl, int refreshes, PromotedVisits visits) {}
