package io.trawl.admission;

/**
 * What the rules of {@link Admission} judge.
 *
 * @param url what normalisation made of it
 * @param longest the most characters of a URL
 * @param depth links away from a seed
 * @param depthLimit the crawl's limit
 * @param priority the level asked for
 * @param levels how many levels the deployment has
 */
record Proposal(Normalized url, int longest, int depth, int depthLimit, int priority, int levels) {}
