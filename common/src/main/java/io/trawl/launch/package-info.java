/**
 * In: a {@code java} of any age; out: the process, or one line that says what is missing. The only package that is compiled for Java 17, so that it may
 * use no other class of Trawl.
 */
package io.trawl.launch;
