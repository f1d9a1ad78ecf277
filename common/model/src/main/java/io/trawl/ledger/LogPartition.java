package io.trawl.ledger;

/**
 * One partition of one incarnation of a topic: a topic that was deleted and created again has another id, so that facts
 * about the old one never hide a record of the new one.
 *
 * @param topic the topic's name
 * @param topicId the id that Kafka assigned to it
 * @param partition from 0
 */
public record LogPartition(String topic, String topicId, int partition) {}
