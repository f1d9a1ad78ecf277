/**
 * Answers that one server lets be used again, by the rules of RFC 9111. In: a URL, and a way to ask its server. Out: an
 * answer that is kept, or that of the server.
 */
@NullMarked
package io.trawl.downloader.fetch.cache;

import org.jspecify.annotations.NullMarked;
