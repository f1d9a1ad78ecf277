/**
 * Webhooks. Input: events from their topic, on the coordinator that leads. Each event is signed, sent to the receivers
 * that its crawl or the deployment defines, and retried until the receiver accepts it. The position is committed to
 * Kafka, where another leader resumes. Delivery is at least once, and in order for each receiver.
 */
@NullMarked
package io.trawl.coordinator.webhook;

import org.jspecify.annotations.NullMarked;
