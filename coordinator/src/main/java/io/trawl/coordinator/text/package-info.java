/**
 * Summaries as text. Input: the records of the REST interface. Output: aligned lines. The coordinator renders
 * {@code ?format=text} with it, and the command line its answers and the end of a crawl, so that all show the same
 * numbers. Lines are truncated and coloured only for a {@link Screen} that requires it, and contain no control
 * sequences of untrusted text.
 *
 * <p>
 * A coordinator of another version may say less. A missing list or map is empty, a missing number is 0, and a missing
 * optional value, moment or rate is shown as {@value io.trawl.coordinator.text.Figures#UNKNOWN}.
 */
@NullMarked
package io.trawl.coordinator.text;

import org.jspecify.annotations.NullMarked;
