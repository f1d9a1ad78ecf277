/** Tests of the frontier: time is a number that the test moves, and nothing waits. */
@NullMarked
package io.trawl.downloader.frontier;

import org.jspecify.annotations.NullMarked;
