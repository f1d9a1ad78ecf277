/**
 * Records of {@code seeds} come in, as users wrote them. Each is read and judged by the rules of admission and the ledger. Requests, ledger records and
 * new accepted domains go out in one transaction with the offsets; what is wrong with a seed goes to {@code errors}, once.
 */
@NullMarked
package io.trawl.coordinator.seed;

import org.jspecify.annotations.NullMarked;
