/** In: requests, and WARC files. Out: what the files hold of an earlier fetch. Sends nothing. */
@NullMarked
package io.trawl.downloader.replay;

import org.jspecify.annotations.NullMarked;
