/**
 * Transport: the topics of a deployment, and reading and writing them with the guarantees of the protocol. In: records
 * of the stages; out: the same records, once, in order, after their transaction. Only this package uses the Kafka
 * client.
 */
@NullMarked
package io.trawl.channel;

import org.jspecify.annotations.NullMarked;
