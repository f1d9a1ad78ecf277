/** Tests of writing and settling answers. */
@NullMarked
package io.trawl.downloader.answer;

import org.jspecify.annotations.NullMarked;
