/**
 * Bounds what servers may cost. In: connections and answers as they arrive. Out: the same, or an end of the exchange
 * with {@link io.trawl.downloader.fetch.budget.ReceiveBudget.Violation} or
 * {@link io.trawl.downloader.fetch.budget.ReceiveBudget.TooLarge}. Bytes and control frames per exchange and
 * connection, bytes per event, and memory for the bodies of all exchanges.
 */
@NullMarked
package io.trawl.downloader.fetch.budget;

import org.jspecify.annotations.NullMarked;
