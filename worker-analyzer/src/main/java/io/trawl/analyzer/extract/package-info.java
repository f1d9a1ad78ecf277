/**
 * The built-in HTML parser. In: a {@link io.trawl.api.Page} of type HTML or XHTML. The parser builds a DOM and
 * traverses it without recursion, so that deep nesting cannot overflow the stack. Out: title, description, language,
 * canonical URL, readable text, links and robots directives. {@link io.trawl.analyzer.extract.ReadableText} decides
 * which text is content.
 */
@NullMarked
package io.trawl.analyzer.extract;

import org.jspecify.annotations.NullMarked;
