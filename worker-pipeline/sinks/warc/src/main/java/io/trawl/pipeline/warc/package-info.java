/** In: responses. Out: the bytes of WARC files and their indexes. Opens no file. */
@NullMarked
package io.trawl.pipeline.warc;

import org.jspecify.annotations.NullMarked;
