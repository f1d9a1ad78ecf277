/** Tests of the embedded servers. */
@NullMarked
package io.trawl.embedded;

import org.jspecify.annotations.NullMarked;
