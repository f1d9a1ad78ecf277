/**
 * What has changed between finished runs: lists of changes, and pages compared by fields and words. Input: the files of
 * the output folder, which are only read. Output: answers for the command {@code diff} and the REST interface.
 */
@NullMarked
package io.trawl.pipeline.diff;

import org.jspecify.annotations.NullMarked;
