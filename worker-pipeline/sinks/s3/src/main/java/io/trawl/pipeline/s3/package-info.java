/**
 * Items in a bucket of S3. In: batches of items and the settings of a crawl; out: objects. A server is asked when a
 * crawl has items for it, and nothing is started before.
 */
@NullMarked
package io.trawl.pipeline.s3;

import org.jspecify.annotations.NullMarked;
