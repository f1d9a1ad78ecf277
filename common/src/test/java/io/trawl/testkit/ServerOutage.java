package io.trawl.testkit;

/**
 * An outage of a server, which returns with its data and at its address.
 *
 * @param begin starts the outage: the server refuses connections, or does not answer on them
 * @param end ends the outage; the server may still be starting
 */
public record ServerOutage(Runnable begin, Runnable end) {}
