/**
 * Topics that every coordinator reads by itself, outside any group: records come in as they are committed. They are handed on in order, the last of them are
 * kept, and whoever subscribes gets the next ones without ever holding up the others.
 */
@NullMarked
package io.trawl.coordinator.tail;

import org.jspecify.annotations.NullMarked;
