/**
 * In: a distribution of requests over hosts and priorities; out: real records in the request topics of a deployment, in transactions, with the ledger
 * records that make a crawl own them. What stands in Kafka afterwards cannot be told from what analyzers write. It exists so that a backlog of millions is
 * there within minutes, without crawling anything.
 */
@NullMarked
package io.trawl.bench.load;

import org.jspecify.annotations.NullMarked;
