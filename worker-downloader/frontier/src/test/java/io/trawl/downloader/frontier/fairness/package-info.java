/** Tests of the division of the slots. */
@NullMarked
package io.trawl.downloader.frontier.fairness;

import org.jspecify.annotations.NullMarked;
