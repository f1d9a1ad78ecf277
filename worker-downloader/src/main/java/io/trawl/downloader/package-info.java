/**
 * The download stage. In: the request topics. Out: one response per request. {@link io.trawl.downloader.Downloader}
 * wires the stage: one thread reads the topics, one owns the frontier, one writes responses, and one each looks up and
 * writes facts. They exchange messages, so the frontier's thread never waits for a slow or failing server.
 */
@NullMarked
package io.trawl.downloader;

import org.jspecify.annotations.NullMarked;
