/**
 * Renders pages in a Chromium of this machine, by the DevTools protocol. In: a {@link io.trawl.api.FetchTask}. Out: the
 * page as its scripts have left it. It knows no more of the downloader than plug-ins do: the browser has no network,
 * and what a page asks for is fetched by the task.
 */
@NullMarked
package io.trawl.downloader.fetch.browser;

import org.jspecify.annotations.NullMarked;
