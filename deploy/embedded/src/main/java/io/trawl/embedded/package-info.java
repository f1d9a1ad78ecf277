/**
 * A real Kafka broker and a real redis-server in a box, for one machine and for tests. In: a data folder that nobody else uses; out: a bootstrap
 * address and a Redis URL on loopback. What is in the folder survives a stop, a kill and a start on other ports.
 */
@NullMarked
package io.trawl.embedded;

import org.jspecify.annotations.NullMarked;
