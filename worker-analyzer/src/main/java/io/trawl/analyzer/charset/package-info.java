/**
 * The charset of a body. In: its bytes and the header that describes them. Out: its text, and the charset in which it
 * was read, as browsers choose it: byte order mark, header, declaration in the document, and else a guess.
 */
@NullMarked
package io.trawl.analyzer.charset;

import org.jspecify.annotations.NullMarked;
