package io.trawl.ledger;

/**
 * One partition of one incarnation of a topic: a topic of the same name that was created anew has another id, so that what was said about the old
 * one never hides a record of the new one.
 *
 * @param topic the topic's name
 * @param topicId the id that Kafka gave it
 * @param partition from 0
 */
public record LogPartition(String topic, String topicId, int partition) {}
