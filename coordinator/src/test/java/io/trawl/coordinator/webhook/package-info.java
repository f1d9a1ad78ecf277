@NullMarked
package io.trawl.coordinator.webhook;

import org.jspecify.annotations.NullMarked;
