/**
 * A parser and an item processor that wait, as ones do that ask a model or a database. They give a stage a capacity that does not depend on the
 * machine, so that it can be seen to grow with its processes. They come to the processes as anybody's plugins do.
 */
@NullMarked
package io.trawl.bench.plugin;

import org.jspecify.annotations.NullMarked;
