package io.trawl.testkit;

/**
 * A server that is away for a while and then there again, with its data and at its address.
 *
 * @param begin takes it away: it refuses connections, or does not answer on them
 * @param end returns when it is on its way back
 */
public record Outage(Runnable begin, Runnable end) {}
