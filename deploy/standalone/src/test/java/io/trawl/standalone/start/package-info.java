/** Tests of this package. */
@NullMarked
package io.trawl.standalone.start;

import org.jspecify.annotations.NullMarked;
