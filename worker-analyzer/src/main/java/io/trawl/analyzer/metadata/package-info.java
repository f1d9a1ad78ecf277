/**
 * In: the elements of a document, one after another. Does: reads what the page says of itself, from JSON-LD, Open
 * Graph, microdata, {@code meta} and what it shows. Out: fields of its item: author, dates, site, kind, image.
 */
@NullMarked
package io.trawl.analyzer.metadata;

import org.jspecify.annotations.NullMarked;
