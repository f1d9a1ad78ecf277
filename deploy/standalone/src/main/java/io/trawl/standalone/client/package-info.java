/**
 * The client of the REST interface. Input: options, the environment, the registrar. Output: typed answers, and problem
 * documents (RFC 9457) as exceptions with their exit code.
 */
@NullMarked
package io.trawl.standalone.client;

import org.jspecify.annotations.NullMarked;
