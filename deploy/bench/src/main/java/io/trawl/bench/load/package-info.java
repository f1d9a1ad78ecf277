/**
 * In: a distribution of requests over hosts and priorities. Out: records in the request topics of a deployment, written
 * in transactions together with the ledger records that assign them to a crawl. The records are identical to those of
 * analyzers. This creates a backlog of millions of requests within minutes, without a crawl.
 */
@NullMarked
package io.trawl.bench.load;

import org.jspecify.annotations.NullMarked;
