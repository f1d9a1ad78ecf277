package io.trawl.coordinator.probe;

import io.trawl.channel.RecordLookup;
import io.trawl.channel.TopicOffsets;
import io.trawl.channel.Topics;

/** How topics are searched. */
public record Topicwise(Topics topics, RecordLookup lookup, TopicOffsets offsets) {}
