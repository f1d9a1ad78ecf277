/**
 * The commands that call a coordinator: {@link io.trawl.standalone.remote.CoordinatorRequests} has those that send one
 * request, and the others have a class each: status, errors, preview, submit, domains, delete, wait. Input: options,
 * seeds from a file or a pipe, answers of the REST interface. Output: calls of that interface, and its JSON or the text
 * that {@code io.trawl.coordinator.text} renders.
 */
@NullMarked
package io.trawl.standalone.remote;

import org.jspecify.annotations.NullMarked;
