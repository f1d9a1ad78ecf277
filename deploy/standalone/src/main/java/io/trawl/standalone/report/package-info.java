/**
 * What people see. In: summaries of a crawl as a coordinator gives them; out: a progress line while it runs, and a table or JSON at its end. Only text
 * is made here; nothing is decided.
 */
@NullMarked
package io.trawl.standalone.report;

import org.jspecify.annotations.NullMarked;
