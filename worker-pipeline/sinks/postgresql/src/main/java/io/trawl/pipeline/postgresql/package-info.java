/** In: batches of items for a database. Out: rows of a table in PostgreSQL, with the position that they reach. */
@NullMarked
package io.trawl.pipeline.postgresql;

import org.jspecify.annotations.NullMarked;
