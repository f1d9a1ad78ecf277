/**
 * In: a host and the name of a crawler; out: what its robots.txt allows (RFC 9309). The file is asked for once, inside the host's own turn, and
 * believed for a while by this process. What it means that the file cannot be had is decided here and nowhere else.
 */
@NullMarked
package io.trawl.downloader.robots;

import org.jspecify.annotations.NullMarked;
