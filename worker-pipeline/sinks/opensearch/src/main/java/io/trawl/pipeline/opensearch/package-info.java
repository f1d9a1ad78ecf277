/**
 * Items in an index of OpenSearch. In: batches of items and the settings of a crawl; out: documents. A server is asked
 * when a crawl has items for it, and nothing is started before.
 */
@NullMarked
package io.trawl.pipeline.opensearch;

import org.jspecify.annotations.NullMarked;
