/**
 * The HTTP endpoint of every process, independent of the HTTP server. In: calls at the address in the MID; out: the
 * pages of the module, the answers of its direct calls, and problem documents (RFC 9457). Workers use the JDK's server
 * ({@link io.trawl.http.AdminEndpoint}), the coordinator has another one for its REST interface; both take pages,
 * access by token and problems from here.
 */
@NullMarked
package io.trawl.http;

import org.jspecify.annotations.NullMarked;
