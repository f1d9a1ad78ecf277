/** Tests of this package. */
@NullMarked
package io.trawl.standalone.report;

import org.jspecify.annotations.NullMarked;
