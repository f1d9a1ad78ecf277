/** What an archive holds of an exchange. Depends on the HTTP client alone. */
@NullMarked
package io.trawl.downloader.fetch.archive;

import org.jspecify.annotations.NullMarked;
