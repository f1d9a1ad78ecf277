/**
 * Decides which partitions of the request topics this process serves, and reads them. In: Kafka's assignment. Out:
 * requests for the frontier, after {@link io.trawl.downloader.partition.PartitionOwnership} has leased their partition
 * and {@link io.trawl.downloader.partition.PartitionTakeover} has found the start offset.
 * {@link io.trawl.downloader.partition.PartitionHandover} gives a partition back in an order that leaves no gap. This
 * process measures a lease by its own clock from before the call that took or renewed it, so the lease ends here before
 * another process can take it.
 */
@NullMarked
package io.trawl.downloader.partition;

import org.jspecify.annotations.NullMarked;
