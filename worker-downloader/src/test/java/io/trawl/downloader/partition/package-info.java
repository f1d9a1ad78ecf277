/**
 * Tests of leases as one process counts them: with a clock of their own, and calls that take as long as a test says.
 */
@NullMarked
package io.trawl.downloader.partition;

import org.jspecify.annotations.NullMarked;
