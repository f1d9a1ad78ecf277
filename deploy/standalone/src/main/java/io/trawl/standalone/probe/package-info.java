/**
 * The commands that ask about one URL: preview, which has it fetched now, and explain, which tells what became of it. In: a URL and answers of a coordinator; out: a
 * story for people, or the same JSON for scripts. Nothing is stored and no crawl is changed.
 */
@NullMarked
package io.trawl.standalone.probe;

import org.jspecify.annotations.NullMarked;
