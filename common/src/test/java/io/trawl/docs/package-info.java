/** Checks of the documents: the settings that they list, their links, and the simulator of the protocol. */
@NullMarked
package io.trawl.docs;

import org.jspecify.annotations.NullMarked;
