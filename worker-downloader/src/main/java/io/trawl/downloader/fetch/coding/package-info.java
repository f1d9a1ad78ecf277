/** Bodies that servers have compressed, also damaged ones. */
@NullMarked
package io.trawl.downloader.fetch.coding;

import org.jspecify.annotations.NullMarked;
