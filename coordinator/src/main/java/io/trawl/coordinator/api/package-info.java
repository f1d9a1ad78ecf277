/**
 * HTTP requests come in. They are read, checked and handed to whoever leads, here or at another coordinator. JSON goes out, and for every error a
 * problem document (RFC 9457).
 */
@NullMarked
package io.trawl.coordinator.api;

import org.jspecify.annotations.NullMarked;
