/** Proxies: who the crawler is for them, and which of them rest because they fail. */
@NullMarked
package io.trawl.downloader.fetch.proxy;

import org.jspecify.annotations.NullMarked;
