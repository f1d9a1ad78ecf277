/**
 * The life cycle of crawls. Input: commands, and the progress of the other stages. The leader moves a crawl through its
 * seven states, each transition one transaction on {@code control}, and watches it until it is finished or stopped.
 * Output: control records, which all processes of the deployment follow.
 */
@NullMarked
package io.trawl.coordinator.lifecycle;

import org.jspecify.annotations.NullMarked;
