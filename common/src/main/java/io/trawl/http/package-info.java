/**
 * The HTTP endpoint of every process. In: calls at the address in the MID; out: the pages of the module, the answers of
 * its routes, and problem documents (RFC 9457). One table of routes decides which role, size and media type a call
 * needs; only {@link io.trawl.http.JettyServer} knows the server.
 */
@NullMarked
package io.trawl.http;

import org.jspecify.annotations.NullMarked;
