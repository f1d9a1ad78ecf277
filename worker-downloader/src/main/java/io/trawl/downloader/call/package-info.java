/** Answers to calls of coordinators: one download outside of all crawls, what hosts and the frontier wait for. */
@NullMarked
package io.trawl.downloader.call;

import org.jspecify.annotations.NullMarked;
