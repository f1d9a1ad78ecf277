/**
 * The commands that show and export stored items, and what has changed in them. In: the REST interface of a
 * coordinator, topics of sinks, or the files of runs; out: text, JSON lines or a folder.
 */
@NullMarked
package io.trawl.standalone.view;

import org.jspecify.annotations.NullMarked;
