/**
 * What coordinators read topics with, without a group. Input: a topic, a place in it, or a key. Output: all records
 * from there on, one record, or the process that reads it.
 */
@NullMarked
package io.trawl.coordinator.topic;

import org.jspecify.annotations.NullMarked;
