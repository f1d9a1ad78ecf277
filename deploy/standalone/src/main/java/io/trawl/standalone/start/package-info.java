/** What shortens the start of the program: prepared once by the launcher, for each build and each Java. */
@NullMarked
package io.trawl.standalone.start;

import org.jspecify.annotations.NullMarked;
