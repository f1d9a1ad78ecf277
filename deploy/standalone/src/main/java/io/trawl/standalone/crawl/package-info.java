/**
 * Runs one crawl with all processes in this JVM. Input: a plan made of options. Output: files in an output folder of
 * this crawl only, and its summary. It resumes after an end of any kind.
 */
@NullMarked
package io.trawl.standalone.crawl;

import org.jspecify.annotations.NullMarked;
