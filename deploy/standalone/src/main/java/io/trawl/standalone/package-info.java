/**
 * The command line. In: what a user types and the environment; out: a crawl from start to end on this machine, one worker process, the servers alone,
 * or a definition handed to a coordinator. What goes wrong is one line on standard error and an exit code: 2 for a user's mistake, 1 for the rest.
 */
@NullMarked
package io.trawl.standalone;

import org.jspecify.annotations.NullMarked;
