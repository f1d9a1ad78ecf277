/**
 * Commands that show what workers hold, and retry what failed. In: the REST interface of a coordinator; out: text or
 * JSON.
 */
@NullMarked
package io.trawl.standalone.view;

import org.jspecify.annotations.NullMarked;
