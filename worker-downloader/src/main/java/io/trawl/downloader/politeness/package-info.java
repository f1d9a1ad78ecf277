/**
 * In: when a host's last exchange ended, how long it took, and what crawl, robots.txt, request and server ask for; out: when the host may be asked
 * next. Pure arithmetic on nanoseconds that the caller hands in. Who is asked next, and that nobody is asked twice at a time, is the frontier's
 * concern.
 */
@NullMarked
package io.trawl.downloader.politeness;

import org.jspecify.annotations.NullMarked;
