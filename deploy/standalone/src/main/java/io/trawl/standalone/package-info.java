/**
 * The command line. Input: the arguments and the environment. Output: a crawl from start to end on this machine, one
 * worker process, the servers alone, or calls to a coordinator. Errors are one line each on standard error, and an exit
 * code.
 */
@NullMarked
package io.trawl.standalone;

import org.jspecify.annotations.NullMarked;
