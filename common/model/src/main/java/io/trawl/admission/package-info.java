/**
 * URL admission: the one filter for seeds, links and redirect targets (S8). In: a raw URL; out: its normal form and its
 * server, or the rule that refused it. The rules themselves know neither Kafka nor Redis.
 */
@NullMarked
package io.trawl.admission;

import org.jspecify.annotations.NullMarked;
