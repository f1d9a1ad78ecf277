/** How processes log: the keys that lines have beside their message, for those who search them. Text is for people and leaves the keys out. */
@NullMarked
package io.trawl.log;

import org.jspecify.annotations.NullMarked;
