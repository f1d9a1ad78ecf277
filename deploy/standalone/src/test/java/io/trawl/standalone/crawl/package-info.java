/** Tests of this package. */
@NullMarked
package io.trawl.standalone.crawl;

import org.jspecify.annotations.NullMarked;
