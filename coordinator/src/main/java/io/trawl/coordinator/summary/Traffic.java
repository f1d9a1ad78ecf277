package io.trawl.coordinator.summary;

import io.trawl.model.RefusalReason;
import java.util.Map;

/**
 * What has gone through all request channels, over all crawls and runs. The sums are over committed ledger records, so they survive every crash.
 *
 * @param levels by priority; those that never had a request are left out
 * @param refusals what did not become a request or was not fetched, by reason
 */
public record Traffic(Map<Integer, LevelCounts> levels, Map<RefusalReason, Long> refusals) {}
