/**
 * In: a process that wants to serve a partition of the requests; out: a lease on it that nobody else holds at the same time, and what its hosts were
 * promised before. So no two processes ever fetch from one host, whatever Kafka's group thinks of them meanwhile. Kept in Redis, told by its clock alone.
 */
@NullMarked
package io.trawl.lease;

import org.jspecify.annotations.NullMarked;
