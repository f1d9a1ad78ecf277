package io.trawl.api;

/**
 * A snapshot of a module's counters since it started. At rest
 * {@code accepted = completed + failed + returned + handling}.
 *
 * @param called calls to handle something
 * @param accepted calls whose work was taken on; a check refused the rest
 * @param completed work that succeeded
 * @param failed work that ended in an error
 * @param returned work that was given back unfinished: it arrives again, here or at another module
 * @param handling work in flight
 */
public record Counts(long called, long accepted, long completed, long failed, long returned, long handling) {}
