package io.trawl.downloader.politeness;

import java.time.Duration;
import java.util.Optional;

/**
 * The pauses that somebody asks for before one request.
 *
 * @param delay the crawl's; {@code 0ms} means no pause and no multiple of the response time
 * @param crawlDelay that of the host's robots.txt, not capped
 * @param waitTime that of the request itself
 */
public record Wish(Duration delay, Optional<Duration> crawlDelay, Optional<Duration> waitTime) {}
