/**
 * Who may ask what of a process over HTTP. In: the tokens of the settings and the {@code Authorization} header of a call; out: whether the call is
 * granted. The coordinator's REST interface and the workers' direct calls judge by the same {@link io.trawl.access.Access}.
 */
@NullMarked
package io.trawl.access;

import org.jspecify.annotations.NullMarked;
