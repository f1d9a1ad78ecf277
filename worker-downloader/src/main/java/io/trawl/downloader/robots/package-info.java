/**
 * Loads robots.txt. In: a host and the name of a crawler. Out: the permissions of its robots.txt (RFC 9309). The file
 * is requested once, inside the host's own turn, and cached by this process. The meaning of a file that cannot be
 * loaded is decided only here.
 */
@NullMarked
package io.trawl.downloader.robots;

import org.jspecify.annotations.NullMarked;
