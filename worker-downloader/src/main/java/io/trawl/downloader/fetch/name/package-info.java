/**
 * Finds the addresses of names, without blocking a thread. In: a name. Out: its addresses and how long they count, or a
 * {@link io.trawl.downloader.fetch.name.UnknownNameException}. Nothing is kept here, and no address is checked:
 * {@code HostResolver} does both.
 */
@NullMarked
package io.trawl.downloader.fetch.name;

import org.jspecify.annotations.NullMarked;
