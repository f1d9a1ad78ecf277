@NullMarked
package io.trawl.bench;

import org.jspecify.annotations.NullMarked;
