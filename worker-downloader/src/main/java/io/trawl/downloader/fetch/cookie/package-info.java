/** The cookies that hosts set (RFC 6265): what is kept of them, and with which requests they are sent. */
@NullMarked
package io.trawl.downloader.fetch.cookie;

import org.jspecify.annotations.NullMarked;
