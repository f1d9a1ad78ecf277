/** Tests of this package. */
@NullMarked
package io.trawl.standalone.text;

import org.jspecify.annotations.NullMarked;
