/** The topics of a deployment: their creation, and the replacement of the request topics under running crawls. */
@NullMarked
package io.trawl.coordinator.channel;

import org.jspecify.annotations.NullMarked;
