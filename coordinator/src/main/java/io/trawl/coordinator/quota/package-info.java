/**
 * What the crawls of a prefix may take together. In: quotas of the file of tokens, the known crawls, the sums over the
 * ledger. Out: refusals, and the decision to stop a crawl.
 */
@NullMarked
package io.trawl.coordinator.quota;

import org.jspecify.annotations.NullMarked;
