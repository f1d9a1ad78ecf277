/**
 * Follows single wishes through all stages. In: the W3C trace context in the headers of a record, and where a trace is to go (settings); out: the context
 * for the headers of what follows from it, and spans by OTLP. Off unless configured, and then no class of OpenTelemetry is touched and no header is read or
 * written. Traces tell people something; nothing is ever decided by them.
 */
@NullMarked
package io.trawl.trace;

import org.jspecify.annotations.NullMarked;
