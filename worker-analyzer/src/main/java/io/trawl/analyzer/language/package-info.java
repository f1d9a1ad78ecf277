/**
 * In: the text of a page. Does: tells the language in which it is written. Out: the code of the language and how sure
 * that is, or nothing.
 */
@NullMarked
package io.trawl.analyzer.language;

import org.jspecify.annotations.NullMarked;
