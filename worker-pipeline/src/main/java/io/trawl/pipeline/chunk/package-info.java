/** In: the Markdown or plain text of an item. Out: its chunks. Pure. */
@NullMarked
package io.trawl.pipeline.chunk;

import org.jspecify.annotations.NullMarked;
