/**
 * In: any version of {@code java}; out: the process, or one line that names the missing requirement. Only this package
 * is compiled for Java 17, so it must not use other classes of Trawl.
 */
@NullMarked
package io.trawl.launch;

import org.jspecify.annotations.NullMarked;
