/**
 * Parsing of a response. In: a {@link io.trawl.api.Page}. Every {@link io.trawl.api.ResponseParser} that handles it
 * gets its own reader over the body (S12). Parsers run with a time limit on a pool in which a stuck thread affects one
 * page only. Out: one merged {@link io.trawl.analyzer.parse.ParsedPage} with the fields, the links and the errors.
 */
@NullMarked
package io.trawl.analyzer.parse;

import org.jspecify.annotations.NullMarked;
