/**
 * What users add to a process without building it: parsers, item processors, a score calculator. They come as jars in one folder and are found by
 * {@link java.util.ServiceLoader}. Whoever has a place for such a thing asks {@link io.trawl.plugin.Plugins} and never the class path itself.
 */
@NullMarked
package io.trawl.plugin;

import org.jspecify.annotations.NullMarked;
