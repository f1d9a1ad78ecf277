/**
 * What is read out of a response. In: a {@link io.trawl.analyzer.parse.Page}; it is handed to every {@link io.trawl.analyzer.parse.ResponseParser} that
 * wants it, each with its own reader over the body (S12), under a time limit and on threads whose death costs one page; out: one merged
 * {@link io.trawl.analyzer.parse.Analyzed} with the fields, the links and the errors.
 */
@NullMarked
package io.trawl.analyzer.parse;

import org.jspecify.annotations.NullMarked;
