/**
 * Politeness state that the downloaders of a fleet share in Redis. {@link io.trawl.politeness.PartitionLeaseStore}
 * leases each partition of the request topics to one downloader at a time and keeps the pauses of its hosts, so no two
 * processes fetch from one host at the same time, even during a rebalance of the consumer group.
 * {@link io.trawl.politeness.RobotsStore} keeps the robots.txt files that any process has fetched.
 */
@NullMarked
package io.trawl.politeness;

import org.jspecify.annotations.NullMarked;
