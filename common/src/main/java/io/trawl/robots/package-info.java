/**
 * What the fleet knows of robots.txt files. In: what a site answered when it was asked for the file; out: the same for whoever asks next, until its
 * time is over. It is a cache and nothing more: losing it costs one fetch per host.
 */
@NullMarked
package io.trawl.robots;

import org.jspecify.annotations.NullMarked;
