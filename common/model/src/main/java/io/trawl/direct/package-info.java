/**
 * What the coordinator asks workers at the addresses in their MIDs, outside of every crawl. In: a URL to fetch now, a
 * response to analyse now; out: the response, or the links with their verdicts and the items. Nothing of it comes into
 * a topic, the ledger or a total; the forms stand here because both sides must know them.
 */
@NullMarked
package io.trawl.direct;

import org.jspecify.annotations.NullMarked;
