/**
 * In: a backlog; out: what the frontier alone costs, without Kafka, Redis and HTTP. {@link io.trawl.bench.frontier.FrontierDriver} is the only class that knows
 * the frontier's inputs and actions; {@link io.trawl.bench.frontier.Simulation} lets a backlog run through it in simulated time. It exists so that a decision
 * among ten million requests can be timed by itself.
 */
@NullMarked
package io.trawl.bench.frontier;

import org.jspecify.annotations.NullMarked;
