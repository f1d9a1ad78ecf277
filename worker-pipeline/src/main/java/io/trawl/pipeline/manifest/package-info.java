/**
 * In: runs that are finished, and their files. Out: a manifest and a mark beside the files of each. Changes no file of
 * items.
 */
@NullMarked
package io.trawl.pipeline.manifest;

import org.jspecify.annotations.NullMarked;
