/** Tests of this package. */
@NullMarked
package io.trawl.standalone;

import org.jspecify.annotations.NullMarked;
