/**
 * Runs the fuzz targets, which are in the packages of what they call: for a minute in every build, and on kept inputs.
 */
@NullMarked
package io.trawl.bench.fuzz;

import org.jspecify.annotations.NullMarked;
