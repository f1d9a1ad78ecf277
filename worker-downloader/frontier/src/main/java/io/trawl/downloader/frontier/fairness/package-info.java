/**
 * Divides the slots among domains, runs and groups of hosts. In: hosts that may be asked, exchanges that begin and end.
 * Out: which hosts may take a slot now, and which of the others comes next.
 */
@NullMarked
package io.trawl.downloader.frontier.fairness;

import org.jspecify.annotations.NullMarked;
