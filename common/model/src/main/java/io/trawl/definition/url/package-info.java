/**
 * The parts of a definition that are about URLs: where a crawl finds them, and what is sent with the requests for some
 * of them. Depends on no other part.
 */
@NullMarked
package io.trawl.definition.url;

import org.jspecify.annotations.NullMarked;
