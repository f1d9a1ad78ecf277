/** In: bytes and texts. Out: their digests. */
@NullMarked
package io.trawl.digest;

import org.jspecify.annotations.NullMarked;
