/** Tests of the recognition of spider traps, on generated sites. */
@NullMarked
package io.trawl.downloader.trap;

import org.jspecify.annotations.NullMarked;
