/**
 * The admission of seeds. Input: records of {@code seeds}, as users wrote them. Each is decoded and checked against the
 * rules of admission and the ledger. Output: requests, ledger records and new accepted domains, in one transaction with
 * the offsets, and one record in {@code errors} for each faulty seed.
 */
@NullMarked
package io.trawl.coordinator.seed;

import org.jspecify.annotations.NullMarked;
