/**
 * Reads what pipelines have stored, for people. In: the files of a run; out: items in either order, from any place on.
 * Reads only; the sink does not know of it.
 */
@NullMarked
package io.trawl.pipeline.read;

import org.jspecify.annotations.NullMarked;
