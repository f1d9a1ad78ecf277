/**
 * Plug-ins: parsers, item processors and a score calculator that users add to a process without building it. They come
 * as jars in one folder and are loaded with {@link java.util.ServiceLoader}. Extension points use
 * {@link io.trawl.plugin.Plugins} and never the class path itself.
 */
@NullMarked
package io.trawl.plugin;

import org.jspecify.annotations.NullMarked;
