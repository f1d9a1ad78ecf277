@NullMarked
package io.trawl.standalone.print;

import org.jspecify.annotations.NullMarked;
