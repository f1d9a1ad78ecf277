/**
 * Commands come in, and the progress of the other stages. A crawl is moved through its seven states, each move one transaction on {@code control}, and
 * is watched until it is finished or stopped. Control records go out, which every process of the deployment obeys.
 */
@NullMarked
package io.trawl.coordinator.lifecycle;

import org.jspecify.annotations.NullMarked;
