/**
 * In: partitions that this downloader wants to serve; out: leases on them, kept alive by a renewal every second, and word when one is lost. A lease is
 * counted by this process's own clock from before the call that took or renewed it, so it ends here before anybody else can have it. Who is fetched, and
 * what becomes of a partition without a lease, is decided elsewhere.
 */
@NullMarked
package io.trawl.downloader.lease;

import org.jspecify.annotations.NullMarked;
