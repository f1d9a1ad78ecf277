/**
 * The wire format: JSON that is readable with kcat, raw bytes for bodies. In: values of {@code model}, {@code ledger}
 * and {@code control}; out: bytes and headers, and back. Unknown fields are ignored.
 */
@NullMarked
package io.trawl.codec;

import org.jspecify.annotations.NullMarked;
