/**
 * The commands that call a coordinator. Some show a fleet: status, summary, crawls, modules, queue, errors, events,
 * explain, preview. Others change it: submit, domains, delete. Input: options, seeds from a file or a pipe, answers of
 * the REST interface. Output: calls of that interface, and its JSON or the text that {@code io.trawl.coordinator.text}
 * renders.
 */
@NullMarked
package io.trawl.standalone.remote;

import org.jspecify.annotations.NullMarked;
