/** Tests of the whole stage, on a real broker, a real redis-server and real HTTP over loopback. */
@NullMarked
package io.trawl.downloader.generation;

import org.jspecify.annotations.NullMarked;
