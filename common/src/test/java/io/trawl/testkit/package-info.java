/**
 * What the tests of all modules share: a clock moved by hand, and a web that misbehaves on demand. In: pages, link graphs and behaviours that a test
 * describes; out: real HTTP servers on loopback addresses that note every visit, and the exact result that a crawl of them must have. Besides, a namespace
 * of its own on real servers, and JVMs of their own that may be held or killed. It knows nothing of a test framework.
 */
@NullMarked
package io.trawl.testkit;

import org.jspecify.annotations.NullMarked;
