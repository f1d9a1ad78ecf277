/**
 * Test fixtures for all modules: a manual clock, and a web with configurable faults. In: pages, link graphs and
 * behaviours that a test describes; out: real HTTP servers on loopback addresses that record every visit, and the exact
 * expected result of their crawl. Also, separate namespaces on real servers, and JVMs that a test may pause or kill.
 * After every test {@link io.trawl.testkit.ConservationLaw} checks the records that the test has left in Kafka; nothing
 * else here depends on the test framework.
 */
@NullMarked
package io.trawl.testkit;

import org.jspecify.annotations.NullMarked;
