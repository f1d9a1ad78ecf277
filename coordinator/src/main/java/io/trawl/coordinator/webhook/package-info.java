/**
 * Events come in from their topic, on the coordinator that leads. Each is sent, signed, to the receivers that its crawl or the deployment names, again and
 * again until it is taken. How far that is stands in Kafka, so that another leader goes on there: at least once, in order for each receiver.
 */
@NullMarked
package io.trawl.coordinator.webhook;

import org.jspecify.annotations.NullMarked;
