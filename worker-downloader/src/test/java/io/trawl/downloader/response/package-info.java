/** Tests of writing and settling answers. */
@NullMarked
package io.trawl.downloader.response;

import org.jspecify.annotations.NullMarked;
