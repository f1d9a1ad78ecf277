/**
 * The sessions of runs at hosts. In: requests of crawls that keep cookies. Out: the same with the cookies of their
 * host, which the next owner of the host finds in Redis.
 */
@NullMarked
package io.trawl.downloader.session;

import org.jspecify.annotations.NullMarked;
