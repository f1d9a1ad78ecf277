/** How a page was rendered, and what it asked for and did not get. */
@NullMarked
package io.trawl.api.render;

import org.jspecify.annotations.NullMarked;
