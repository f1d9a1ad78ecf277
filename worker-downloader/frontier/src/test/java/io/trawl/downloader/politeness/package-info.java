/** Tests of the arithmetic of politeness. */
@NullMarked
package io.trawl.downloader.politeness;

import org.jspecify.annotations.NullMarked;
