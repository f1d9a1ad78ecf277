/**
 * Records of the {@code errors} topic come in, from every stage. The last of them are kept, bounded in number and size, for people who ask what went wrong
 * (S9). Lists go out, by crawl, kind and host, and a live stream.
 */
@NullMarked
package io.trawl.coordinator.errors;

import org.jspecify.annotations.NullMarked;
