/**
 * In: runs that are finished, and their files. Out: a manifest and a mark beside the files of each, and a link to the
 * newest. Changes no file of items, and deletes those of older runs.
 */
@NullMarked
package io.trawl.pipeline.manifest;

import org.jspecify.annotations.NullMarked;
