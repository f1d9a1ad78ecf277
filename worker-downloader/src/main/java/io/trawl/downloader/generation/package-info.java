/**
 * In: the records of one generation of request topics. Out: their answers. Joins the frontier, the readers, the
 * fetchers and the path of answers.
 */
@NullMarked
package io.trawl.downloader.generation;

import org.jspecify.annotations.NullMarked;
