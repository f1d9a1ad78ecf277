/**
 * How the command line reaches a coordinator. In: options, the environment, the registrar; out: answers of the REST interface as JSON, problem documents
 * (RFC 9457) as exceptions that know their exit code. What a command does with an answer is not decided here.
 */
@NullMarked
package io.trawl.standalone.client;

import org.jspecify.annotations.NullMarked;
