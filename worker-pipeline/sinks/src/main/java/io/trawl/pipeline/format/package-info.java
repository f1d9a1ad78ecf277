/** In: items. Out: the bytes that stand for them in files of the formats that a crawl names. Opens no file. */
@NullMarked
package io.trawl.pipeline.format;

import org.jspecify.annotations.NullMarked;
