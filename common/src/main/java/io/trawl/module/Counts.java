package io.trawl.module;

/**
 * A snapshot of a module's counters since it started. At rest {@code accepted = completed + failed + handling}.
 *
 * @param called how often it was asked to handle something
 * @param accepted how often it took the work on; the rest was refused by a check
 * @param completed work that was done
 * @param failed work that ended in an error
 * @param handling work under way
 */
public record Counts(long called, long accepted, long completed, long failed, long handling) {}
