/** The part of a definition that says where items are stored. Depends on no other part. */
@NullMarked
package io.trawl.definition.sink;

import org.jspecify.annotations.NullMarked;
