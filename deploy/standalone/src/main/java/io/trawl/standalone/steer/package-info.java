/**
 * The commands that change something at a coordinator: submit, start, stop, reset, domains, delete. In: what the user asks for, seeds from a file or a pipe; out: calls
 * of the REST interface, then one line that says what became of them. What takes long shows how far it is on standard error.
 */
@NullMarked
package io.trawl.standalone.steer;

import org.jspecify.annotations.NullMarked;
