/**
 * Sinks on servers that speak HTTP: an index of OpenSearch, a bucket of S3. In: batches of items and the settings of a
 * crawl; out: documents and objects. A server is asked when a crawl has items for it, and nothing is started before.
 */
@NullMarked
package io.trawl.pipeline.remote;

import org.jspecify.annotations.NullMarked;
