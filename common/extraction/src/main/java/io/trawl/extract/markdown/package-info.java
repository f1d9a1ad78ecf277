/**
 * HTML as Markdown. In: an element. {@link io.trawl.extract.markdown.Markdown} has a
 * {@link io.trawl.extract.markdown.BlockReader} read its blocks, in which text has styles; an
 * {@link io.trawl.extract.markdown.InlineWriter} writes each text, and a {@link io.trawl.extract.markdown.BlockWriter}
 * the blocks. Out: CommonMark 0.31 with the tables and strike-through of GitHub. No I/O.
 */
@NullMarked
package io.trawl.extract.markdown;

import org.jspecify.annotations.NullMarked;
