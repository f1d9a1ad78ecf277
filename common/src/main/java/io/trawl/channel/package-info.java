/**
 * How data travels: the topics of a deployment and the ways of writing and reading them that make the promises hold. In: records of the stages; out:
 * the same records, once, in order, after their transaction. This is the only package that knows the Kafka client.
 */
@NullMarked
package io.trawl.channel;

import org.jspecify.annotations.NullMarked;
