@NullMarked
package io.trawl.standalone.remote;

import org.jspecify.annotations.NullMarked;
