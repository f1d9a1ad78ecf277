/** Tests of this package. */
@NullMarked
package io.trawl.standalone.local;

import org.jspecify.annotations.NullMarked;
