@NullMarked
package io.trawl.standalone.client;

import org.jspecify.annotations.NullMarked;
