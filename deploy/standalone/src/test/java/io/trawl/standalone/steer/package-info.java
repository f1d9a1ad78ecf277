@NullMarked
package io.trawl.standalone.steer;

import org.jspecify.annotations.NullMarked;
