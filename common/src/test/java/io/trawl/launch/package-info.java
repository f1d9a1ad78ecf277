@NullMarked
package io.trawl.launch;

import org.jspecify.annotations.NullMarked;
