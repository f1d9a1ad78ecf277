package io.trawl.standalone.crawl;

import java.nio.file.Path;
import java.util.List;

/**
 * What all processes of a deployment in one JVM share.
 *
 * @param out where pages and errors are written
 * @param data where Kafka, Redis and the log are kept
 * @param allowNetwork networks that may be fetched from although they are private or loopback
 * @param concurrency requests in flight in all
 * @param lasting whether it serves people and programs until it is stopped: then the tokens and webhooks of the environment are meant for it, which
 *        would only be in the way of a single crawl that talks to itself
 */
public record FleetPlan(Path out, Path data, List<String> allowNetwork, int concurrency, boolean lasting) {}
