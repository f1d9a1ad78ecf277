/** The least that any crawler must do, in memory and with stages that are joined by Kafka, to divide figures by. */
@org.jspecify.annotations.NullMarked
package io.trawl.bench.floor;
