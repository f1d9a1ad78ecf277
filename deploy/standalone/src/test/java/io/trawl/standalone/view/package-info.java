@NullMarked
package io.trawl.standalone.view;

import org.jspecify.annotations.NullMarked;
