/** The offsets of topics and groups. */
@NullMarked
package io.trawl.channel.offset;

import org.jspecify.annotations.NullMarked;
