/** The least that any crawler must do, to divide figures by. */
@org.jspecify.annotations.NullMarked
package io.trawl.bench.floor;
