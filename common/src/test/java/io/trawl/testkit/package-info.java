/**
 * What the tests of all modules share: a clock moved by hand, and a web that misbehaves on demand. In: pages, link graphs and behaviours that a test
 * describes; out: real HTTP servers on loopback addresses that note every visit, and the exact result that a crawl of them must have. It knows
 * nothing of Kafka and Redis (see deploy/embedded for those) nor of a test framework.
 */
@NullMarked
package io.trawl.testkit;

import org.jspecify.annotations.NullMarked;
