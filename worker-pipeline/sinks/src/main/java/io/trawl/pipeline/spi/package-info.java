/**
 * What the pipeline and its optional parts share, which are modules of their own: a pipeline finds them as it finds
 * plug-ins ({@link io.trawl.plugin.Plugins}), and neither knows the classes of the other.
 */
@NullMarked
package io.trawl.pipeline.spi;

import org.jspecify.annotations.NullMarked;
