/**
 * In: the request topics; out: one response per request. {@link io.trawl.downloader.Downloader} wires the stage: one thread reads the topics, one owns
 * the frontier, one writes answers, and a clerk each looks facts up and writes them. They talk by messages only; whatever fails or is slow outside, the
 * frontier's thread never waits.
 */
@NullMarked
package io.trawl.downloader;

import org.jspecify.annotations.NullMarked;
