/**
 * The built-in parser: what is read out of HTML. In: a {@link io.trawl.analyzer.parse.Page} of type HTML or XHTML; it is parsed into a DOM that is walked
 * without recursion, whatever a hostile page nests; out: title, description, language, canonical URL, readable text, links, and what the page asks of
 * crawlers. Rules that need judgement stand here: {@link io.trawl.analyzer.extract.ReadableText} says which text counts.
 */
@NullMarked
package io.trawl.analyzer.extract;

import org.jspecify.annotations.NullMarked;
