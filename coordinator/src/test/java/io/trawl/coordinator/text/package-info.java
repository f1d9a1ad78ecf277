@NullMarked
package io.trawl.coordinator.text;

import org.jspecify.annotations.NullMarked;
