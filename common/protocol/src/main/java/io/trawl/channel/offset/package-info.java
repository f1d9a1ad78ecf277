/** The offsets of topics and groups, and what is known of the places of records. */
@NullMarked
package io.trawl.channel.offset;

import org.jspecify.annotations.NullMarked;
