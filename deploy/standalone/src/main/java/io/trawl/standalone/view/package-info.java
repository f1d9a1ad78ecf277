/**
 * The commands that look and change nothing: status, summary, crawls, modules, queue, errors, events. In: answers of a coordinator, of this version or another;
 * out: tables for people, or the same JSON for scripts. Numbers are printed as the coordinator says them and never counted again here.
 */
@NullMarked
package io.trawl.standalone.view;

import org.jspecify.annotations.NullMarked;
