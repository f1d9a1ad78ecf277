/**
 * The command that shows stored items, from files and from topics. In: the REST interface of a coordinator, or topics
 * of sinks; out: text or JSON lines.
 */
@NullMarked
package io.trawl.standalone.view;

import org.jspecify.annotations.NullMarked;
