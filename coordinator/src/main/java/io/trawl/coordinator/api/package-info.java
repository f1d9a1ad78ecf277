/**
 * In: HTTP requests, which are parsed, checked and handed to the leader, here or at another coordinator. Out: JSON, and
 * for every error a problem document (RFC 9457).
 */
@NullMarked
package io.trawl.coordinator.api;

import org.jspecify.annotations.NullMarked;
