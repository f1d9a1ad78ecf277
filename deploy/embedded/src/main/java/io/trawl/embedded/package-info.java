/**
 * An embedded Kafka broker and a redis-server, for single-machine use and for tests. In: a data folder that no other
 * process uses. Out: a bootstrap address and a Redis URL on loopback. The data survives a stop, a kill and a start on
 * other ports.
 */
@NullMarked
package io.trawl.embedded;

import org.jspecify.annotations.NullMarked;
