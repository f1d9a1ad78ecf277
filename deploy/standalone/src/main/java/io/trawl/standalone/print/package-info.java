/**
 * Text for people in a terminal. In: words and numbers, some of them from strangers' pages; out: aligned lines that fit the width, coloured only on a
 * terminal, and without anything that a terminal would take for a command. Knows nothing of crawls.
 */
@NullMarked
package io.trawl.standalone.print;

import org.jspecify.annotations.NullMarked;
