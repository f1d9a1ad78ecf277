/**
 * Control records that are about to be written come in. What they change in the life of a crawl becomes an event, which stands on the {@code events} topic
 * with the same transaction. Events go out to people, and to whoever starts something by them.
 */
@NullMarked
package io.trawl.coordinator.events;

import org.jspecify.annotations.NullMarked;
